package check

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/project/config"
)

// A configuration rules the files below it, up to the folder of the run; none is looked for elsewhere.
func TestConfigurationsOutsideOfTheRunRuleNothing(t *testing.T) {
	s := &Session{Base: "/run", Cache: infer.NewCache(), FS: reads.NewMemory(map[string]string{
		"run/own/shapecheck.toml": "", "run/own/deep/a.py": "", "run/a.py": "", "beside/shapecheck.toml": "", "beside/a.py": "", "shapecheck.toml": "",
	})}
	s.Nearest = func(*config.Config) (*Session, error) { return &Session{}, nil }
	x, err := newFolders(s, source.NewFileSet())
	if err != nil {
		t.Fatal(err)
	}
	for file, own := range map[string]bool{
		"/run/own/deep/a.py": true, "/run/own/a.py": true, "/run/a.py": false, "/beside/a.py": false, "/a.py": false, "/running/a.py": false,
	} {
		f, err := x.of(file)
		if err != nil || (f != x.first) != own {
			t.Errorf("%s: another project than the run's: %v, want %v (%v)", file, f != x.first, own, err)
		}
	}
}
