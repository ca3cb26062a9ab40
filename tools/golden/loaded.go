package golden

// This file holds runs of a file that is loaded once against runs that load it anew.

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/reads"
)

// RunLoaded holds infer.Loaded and infer.Modules against infer.Run over the cases of folders: the first
// and the second run of a file that is loaded once, and runs that keep what they import, say what a run of
// its own says. It counts the cases in which the second run went back to the state after the load, and
// those in which an edited file was run with the modules of the file before.
func RunLoaded(t *testing.T, dirs ...string) {
	back, kept, placed, all := 0, 0, 0, 0
	shared := infer.NewCache()
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no archives in %s: %v", dir, err)
		}
		for _, p := range paths {
			ar, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases(ar) {
				ran, again, resumed, prepared := runLoaded(t, strings.TrimSuffix(filepath.Base(p), ".txtar")+"/"+c.name, c, shared)
				for n, is := range map[*int]bool{&all: ran, &back: again, &kept: resumed, &placed: prepared} {
					if is {
						*n++
					}
				}
			}
		}
	}
	t.Logf("of %d cases %d went back to the load, %d kept their imports, %d had modules of the prelude that ran before", all, back, kept, placed)
	if back*2 < all || kept*2 < all || placed*2 < all {
		t.Errorf("of %d cases only %d went back to the load, %d kept their imports, %d had modules of the prelude that ran before", all, back,
			kept, placed)
	}
}

// runLoaded runs a case in all ways in which state is used again: twice after one load, with the modules of the run before, and
// after an edit that was taken back. Each must say what a run of its own says.
func runLoaded(t *testing.T, name string, c testCase, shared *infer.Cache) (ran, wentBack, kept, placed bool) {
	files := map[string]string{}
	for _, f := range c.files {
		if !strings.HasPrefix(f.Name, "want/") {
			files[f.Name] = string(f.Data)
		}
	}
	target, err := check.ParseTarget(c.run)
	if err != nil || target.Run.Script != nil || target.Run.Trace != nil {
		return false, false, false, false
	}
	cfg := target.Run
	cfg.FS, cfg.Cache = reads.NewMemory(files), infer.NewCache()
	infer.Run(cfg) // parses: what follows finds all files parsed
	alone, err := infer.Run(cfg)
	want := outputText(alone, err)
	l := infer.Load(cfg, false)
	same := func(what, got string) bool {
		if got != want {
			t.Errorf("%s: %s (-) and a run of its own (+):\n%s", name, what, cmp.Diff(strings.Split(got, "\n"), strings.Split(want, "\n")))
		}
		return got == want
	}
	for _, which := range []string{"first", "second"} {
		if !same("the "+which+" run of a file that is loaded once", outputText(l.Run(cfg))) {
			break
		}
	}
	file, back := cfg.File, l.GoesBack()
	l.Close()
	for range 3 { // the library is prepared for the third
		l = infer.Load(cfg, false)
		res, err := l.Run(cfg)
		equal := same("a file that is loaded with the library of other runs", outputText(res, err))
		if equal && err == nil && max(res.Steps-alone.Steps, alone.Steps-res.Steps) > 1 { // objects are counted by the hundreds
			t.Errorf("%s: %d steps with the library of other runs, %d of its own", name, res.Steps, alone.Steps)
		}
		placed = l.Placed() > 0
		l.Close()
	}
	among := cfg
	among.Cache = shared
	l = infer.Load(among, false)
	same("a file that is loaded with the library of other programs", outputText(l.Run(among)))
	l.Close()
	if files[file] == "" {
		return true, back, false, placed
	}
	cfg.Modules = &infer.Modules{}
	same("a run that keeps what it imports", outputText(infer.Run(cfg)))
	edited := maps.Clone(files)
	edited[file] = "# an edit\n" + files[file] + "\nan_edit = 1\n"
	fsys := cfg.FS
	cfg.FS = reads.NewMemory(edited)
	infer.Run(cfg)
	cfg.FS = fsys
	if same("a run after an edit that was taken back", outputText(infer.Run(cfg))) {
		l = infer.Load(cfg, false)
		for range 2 {
			same("a file that is loaded with the imports of another run", outputText(l.Run(cfg)))
		}
		l.Close()
	}
	return true, back, cfg.Modules.Resumed() > 0, placed
}

// outputText is all that a run says.
func outputText(res *infer.Result, err error) string {
	if err != nil {
		return err.Error()
	}
	doc, err := json.MarshalIndent(record.Build(res), "", " ")
	if err != nil {
		return err.Error()
	}
	return string(doc)
}
