package golden

// This file holds runs of a file that is loaded once against runs that load it anew.

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/internal/driver"
	"shapecheck/internal/reads"
	"shapecheck/internal/report"
)

// RunLoaded holds infer.Loaded against infer.Run over the cases of folders: the first and the
// second run of a file that is loaded once say what a run of its own says. It counts the cases in
// which the second run went back to the state after the load.
func RunLoaded(t *testing.T, dirs ...string) {
	back, all := 0, 0
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
				again, ok := runLoaded(t, strings.TrimSuffix(filepath.Base(p), ".txtar")+"/"+c.name, c)
				if ok {
					all++
				}
				if again {
					back++
				}
			}
		}
	}
	t.Logf("%d of %d cases went back to the load", back, all)
	if back*2 < all {
		t.Errorf("only %d of %d cases went back to the load", back, all)
	}
}

func runLoaded(t *testing.T, name string, c testCase) (back, ok bool) {
	files := map[string]string{}
	for _, f := range c.files {
		if !strings.HasPrefix(f.Name, "want/") {
			files[f.Name] = string(f.Data)
		}
	}
	target, err := driver.ParseTarget(c.run)
	if err != nil || target.Run.Script != nil || target.Run.Trace != nil {
		return false, false
	}
	cfg := target.Run
	cfg.FS, cfg.Cache = reads.NewMemory(files), infer.NewCache()
	infer.Run(cfg) // parses: what follows finds all files parsed
	want := said(infer.Run(cfg))
	l := infer.Load(cfg)
	for _, which := range []string{"first", "second"} {
		if got := said(l.Run(cfg)); got != want {
			diff := cmp.Diff(strings.Split(got, "\n"), strings.Split(want, "\n"))
			t.Errorf("%s: the %s run of a file that is loaded once (-) and a run of its own (+):\n%s", name, which, diff)
			break
		}
	}
	return l.GoesBack(), true
}

// said is all that a run says.
func said(res *infer.Result, err error) string {
	if err != nil {
		return err.Error()
	}
	doc, err := json.MarshalIndent(report.Build(res), "", " ")
	if err != nil {
		return err.Error()
	}
	return string(doc)
}
