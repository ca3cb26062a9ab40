package reads

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestGate(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	for _, name := range []string{"in/a.py", "in/sub/b.txt", "in/.git/config", "in/.env", "in/.env.d/c.py", "in/.config/gcloud/t",
		"in/keys/ID_RSA", "in/keys/x.pem", "out/a.py", "src/m.py", "src/m.txt", "in2/a.py", "one/a.py", "one/b.py"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"in/link.py": "../out/a.py", "in/dir": at("out"), "in/same.py": "a.py", "in/up": "sub",
		"in/lost": "../none", "in/other": at("in2"), "in/secret.py": ".git/config",
		"in/loop": "loop", "through": "in"} {
		if err := os.Symlink(filepath.FromSlash(to), at(name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(at("in"))
	g := NewGate(Disk{}, Root{at("in"), Everything}, Root{at("src"), Sources}, Root{at("none"), Everything})
	g.Add(Root{at("in2"), Everything}, Root{at("one/a.py"), Everything})
	const read, outside, none = "", "outside", "none"
	for name, want := range map[string]string{
		"in/a.py": read, "in/sub/b.txt": read, "in/same.py": read, "in/other/a.py": read, "in/sub/../a.py": read, "src/m.py": read,
		"in2/a.py": read, "one/a.py": read, "in/.env.d/c.py": read,
		"in/missing": none, "in/sub/missing/x": none, "in/a.py/x": none,
		"out/a.py": outside, "out/missing": outside, "in/link.py": outside, "in/dir/a.py": outside, "in/dir/missing": outside,
		"in/lost": outside, "in/lost/x": outside, "in/loop": outside, "in/../out/a.py": outside,
		"in/.git/config": outside, "in/.git/missing": outside, "in/missing/.git/x": outside, "in/secret.py": outside, "in/.env": outside,
		"in/.env.missing": outside, "in/.config/gcloud/t": outside, "in/keys/ID_RSA": outside,
		"in/keys/x.pem": outside, "src/m.txt": outside, "src/missing.txt": outside, "one/b.py": outside, "none/x": outside,
		"through/a.py": outside, "in/a\x00.py": "other", "in2x": outside,
	} {
		var paths []string
		paths = append(paths, at(name))
		if rel, err := filepath.Rel(at("in"), at(name)); err == nil {
			paths = append(paths, rel)
		}
		for _, path := range paths {
			_, err := File(g, path, 100)
			got := "other"
			switch {
			case err == nil:
				got = read
			case errors.Is(err, ErrOutside):
				got = outside
			case errors.Is(err, fs.ErrNotExist) || name == "in/a.py/x":
				got = none
			}
			if got != want {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
			if _, serr := g.Stat(path); errors.Is(serr, ErrOutside) != (want == outside) {
				t.Errorf("stat of %s: %v", path, serr)
			}
		}
	}
	if _, err := g.Stat("up/../a.py"); err != nil { // sub and a.py lie in the same folder
		t.Error(err)
	}
	over := g.Over(NewOverlay(Disk{}, map[string]string{at("in/same.py"): "text", at("in/new.py"): "new", at("out/new.py"): "no"}))
	for name, want := range map[string]string{"in/same.py": "text", "in/new.py": "new", "out/new.py": ""} {
		if data, _ := over.ReadFile(at(name)); string(data) != want {
			t.Errorf("%s over the disk: %q", name, data)
		}
	}
}
