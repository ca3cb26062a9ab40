//go:build unix

package cli

// This file tests that every reader refuses what is no regular file, at once and by
// the name of its kind, and what is too large.

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"shapecheck/internal/driver"
)

func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink("/dev/zero", "link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", "pipelink"); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create("large")
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(8 << 30); err != nil { // without blocks
		t.Skip(err)
	}
	if err := large.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("net.py", []byte("def forward(x):\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("baseline.toml", []byte("baseline = \"pipe\"\n[[entries]]\nfile = \"net.py\"\nargs = [\"x:f32[2]\"]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{
		"pipe": "a pipe", "pipelink": "a pipe", "dir": "a directory", "socket": "a socket", "link": "a device", "/dev/zero": "a device", "/dev/random": "a device", "large": "too large",
	}
	check := func(want string, args ...string) {
		t.Helper()
		done := make(chan struct{})
		go func() {
			defer close(done)
			code, _, stderr := run(args...)
			if code != driver.ExitUsage || !strings.Contains(stderr, want) {
				t.Errorf("%q: exit code %d, %q is missing in %q", args, code, want, stderr)
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%q does not end", args)
		}
	}
	for file, want := range kinds {
		for _, args := range [][]string{
			{file}, {file, "--script"}, {"graph", file}, {"ast", file}, {"infer", file}, {"infer", "--check", file}, {"merge", file}, {"--config", file},
			{"net.py", "--arg", "x:f32[2]", "--baseline", file},
			{"net.py", "--arg", "x:f32[2]", "--weights", file},
			{"export", "net.py", "--arg", "x:f32[2]", "-o", "o.onnx", "--weights", file},
			{"export", file, "-o", "o.onnx"},
		} {
			if want == "too large" && strings.Contains(strings.Join(args, " "), "--weights") {
				continue // weights may be large
			}
			check(want, args...)
		}
	}
	check("a pipe", "--config", "baseline.toml")
	for _, name := range []string{"shapecheck.toml", "pyproject.toml"} { // that are found
		if err := os.Rename("pipe", name); err != nil {
			t.Fatal(err)
		}
		check("a pipe", "net.py")
		if err := os.Rename(name, "pipe"); err != nil {
			t.Fatal(err)
		}
	}
	// An entry of the cache, and a module, are as good as none.
	if code, _, stderr := run("net.py", "--arg", "x:f32[2]", "--cache", "--no-config"); code != driver.ExitClean {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	entries, err := filepath.Glob(".shapecheck_cache/*.entry")
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	if err := os.Remove(entries[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("pipe", entries[0]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("mod.py", 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("imports.py", []byte("import mod\ndef forward(x):\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"net.py", "imports.py"} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if code, stdout, stderr := run(file, "--arg", "x:f32[2]", "--cache", "--no-config"); code != driver.ExitClean {
				t.Errorf("%s: exit code %d: %s%s", file, code, stdout, stderr)
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s does not end", file)
		}
	}
}
