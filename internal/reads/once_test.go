package reads

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// asked counts what a file system is asked.
type asked struct {
	FS
	mu sync.Mutex
	n  map[string]int
}

func (a *asked) count(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n[what]++
}

func (a *asked) ReadFile(path string) ([]byte, error) {
	a.count("ReadFile " + path)
	return a.FS.ReadFile(path)
}

func (a *asked) Stat(path string) (fs.FileInfo, error) {
	a.count("Stat " + path)
	return a.FS.Stat(path)
}

func (a *asked) ReadDir(path string) ([]fs.DirEntry, error) {
	a.count("ReadDir " + path)
	return a.FS.ReadDir(path)
}

func TestOnceAsksOnceAndRemembers(t *testing.T) {
	dir := t.TempDir()
	file, missing := filepath.Join(dir, "a.py"), filepath.Join(dir, "b.py")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "before")
	base := &asked{FS: Disk{}, n: map[string]int{}}
	o := NewOnce(base)
	for i := range 3 {
		if data, err := o.ReadFile(file); string(data) != "before" || err != nil {
			t.Fatalf("look %d: %q, %v", i, data, err)
		}
		if _, err := o.Stat(missing); err == nil {
			t.Fatalf("look %d: a file that was missing is there", i)
		}
		if list, err := o.ReadDir(dir); len(list) != 1 || err != nil {
			t.Fatalf("look %d: %v, %v", i, list, err)
		}
		write(file, "after")
		write(missing, "now it is there")
	}
	for what, n := range base.n {
		if n != 1 {
			t.Errorf("%s: asked %d times", what, n)
		}
	}
}

// A file has several names and is read once.
func TestOnceReadsOneFileOfTwoNames(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.py", []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs("a.py")
	if err != nil {
		t.Fatal(err)
	}
	base := &asked{FS: Disk{}, n: map[string]int{}}
	o := NewOnce(base)
	for _, name := range []string{abs, "a.py", abs} {
		if data, err := o.ReadFile(name); string(data) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if len(base.n) != 1 {
		t.Errorf("asked %v", base.n)
	}
	var fault *fs.PathError
	if _, err := o.ReadFile(filepath.Join(filepath.Dir(abs), "missing.py")); !errors.As(err, &fault) || !filepath.IsAbs(fault.Path) {
		t.Errorf("a file that is missing: %v", err)
	}
	if _, err := o.ReadFile("missing.py"); !errors.As(err, &fault) || fault.Path != "missing.py" {
		t.Errorf("a file that is missing: %v", err)
	}
}

// What does not fit is read each time, and never kept in part.
func TestOnceKeepsSoManyBytes(t *testing.T) {
	base := &asked{FS: NewMemory(map[string]string{"/a.py": "12345", "/b.py": "1234567"}), n: map[string]int{}}
	o := NewOnce(base)
	o.left = 6
	for range 2 {
		for name, want := range map[string]string{"/a.py": "12345", "/b.py": "1234567"} {
			if data, err := o.ReadFile(name); string(data) != want || err != nil {
				t.Fatalf("%s: %q, %v", name, data, err)
			}
		}
	}
	if base.n["ReadFile /b.py"] != 2 || base.n["ReadFile /a.py"] != 1 {
		t.Errorf("asked %v", base.n)
	}
}
