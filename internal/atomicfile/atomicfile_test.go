package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteReplacesTheWholeFileAndLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	for _, text := range []string{"a long first text", "short"} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("read %q, %v; want %q", got, err, text)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("out.json", link); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("through the link")); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if string(got) != "through the link" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the link's target holds %q with %v", got, info.Mode())
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 2 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestCheckRefusesWhatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range []string{"", dir, filepath.Join(dir, "missing", "x.json")} {
		if Check(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if err := Check(filepath.Join(dir, "x.json")); err != nil {
		t.Error(err)
	}
}

func TestAFileIsSeenOnceItIsCommitted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.bin")
	for _, commit := range []bool{false, true} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := f.Write(make([]byte, bufferSize-1)); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Finish(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("the file is there before it is committed")
		}
		if commit {
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Discard(); err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadDir(dir)
		if err != nil || len(list) != map[bool]int{false: 0, true: 1}[commit] {
			t.Errorf("committed %v: %v, %v", commit, list, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 3*(bufferSize-1) {
		t.Error(info, err)
	}
}
