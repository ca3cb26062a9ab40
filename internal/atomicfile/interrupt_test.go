//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMain is the program of TestAbandonLeavesNothing.
func TestMain(m *testing.M) {
	dir := os.Getenv("ATOMICFILE_INTERRUPTED")
	if dir == "" {
		os.Exit(m.Run())
	}
	done, err := Create(filepath.Join(dir, "done"))
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"a", "b"} {
		f, err := Create(filepath.Join(dir, name))
		if err != nil {
			panic(err)
		}
		if _, err := f.Write(make([]byte, 2*bufferSize)); err != nil {
			panic(err)
		}
	}
	if err := done.Commit(); err != nil {
		panic(err)
	}
	if _, err := os.Stdout.WriteString("ready"); err != nil {
		panic(err)
	}
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		panic(err)
	}
	Abandon()
	os.Exit(3)
}

func TestAbandonLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ATOMICFILE_INTERRUPTED="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 3 {
		t.Fatalf("before: %v, %v", list, err)
	}
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the program ends with %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestALinkThatLeadsElsewhereIsNotWritten(t *testing.T) {
	outside, dir := filepath.Join(t.TempDir(), "secret"), t.TempDir()
	if err := os.WriteFile(outside, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("x")); err == nil {
		t.Error("the link is followed")
	}
	if err := Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "secret" {
		t.Errorf("the file outside holds %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("Replace leaves %v, %v", info.Mode(), err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
	// What is no file has no folder that counts.
	null := filepath.Join(dir, "null")
	if err := os.Symlink(os.DevNull, null); err != nil {
		t.Fatal(err)
	}
	if err := Write(null, []byte("x")); err != nil {
		t.Error(err)
	}
}
