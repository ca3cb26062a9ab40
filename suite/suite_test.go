package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
)

// unpack writes the files of a case into a folder and gives it.
func unpack(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runProject(t *testing.T, dir string, args ...string) *Report {
	t.Helper()
	r, err := Run(context.Background(), Options{Run: infer.Config{Device: infer.DeviceCPU}, Dir: dir, Args: args, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The comment of a case lists what pytest says of each test, as testdata/record.py writes it: node id and outcome. Ours is compared with
// it: a test that passes must not fail here, one that fails must not hold, and where the line has a third word that is our verdict.
func TestProjects(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{}
			var want [][]string
			for line := range strings.Lines(string(a.Comment)) {
				line = strings.TrimRight(line, "\n")
				if rest, ok := strings.CutPrefix(line, "args:"); ok {
					args = strings.Fields(rest)
				}
				if cells := strings.Split(line, "\t"); len(cells) > 1 {
					want = append(want, cells)
				}
			}
			r := runProject(t, unpack(t, a), args...)
			var ids, wanted []string
			got := map[string]*Case{}
			for _, f := range r.Files {
				if f.Refused != "" {
					t.Errorf("%s is not collected: %s", f.ID, f.Refused)
				}
				for _, c := range f.Cases {
					ids = append(ids, c.ID)
					got[c.ID] = c
				}
			}
			for _, w := range want {
				wanted = append(wanted, w[0])
				c := got[w[0]]
				if c == nil {
					continue
				}
				said := c.Verdict.String()
				detail := c.Cause
				for _, d := range c.Findings {
					detail += "; " + d.Msg
				}
				switch {
				case w[1] == "passed" && (c.Verdict == Fails || c.Verdict == Skipped || c.Verdict == Refused),
					w[1] == "skipped" && c.Verdict != Skipped,
					w[1] == "failed" && (c.Verdict == Holds || c.Verdict == Skipped || c.Verdict == Refused),
					len(w) > 2 && w[2] != said:
					t.Errorf("%s: pytest %s; here it %s: %s", w[0], strings.Join(w[1:], " "), said, detail)
				}
			}
			if !slices.Equal(ids, wanted) {
				for i := range max(len(ids), len(wanted)) {
					a, b := at(ids, i), at(wanted, i)
					if a != b {
						t.Fatalf("id %d is %q, wanted %q", i, a, b)
					}
				}
			}
		})
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// A run may be ended at any time.
func TestACancelledRunEnds(t *testing.T) {
	dir := unpack(t, txtar.Parse([]byte("-- test_a.py --\ndef test_a():\n    pass\n")))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Options{Run: infer.Config{}, Dir: dir}); err == nil {
		t.Error("a cancelled run has no error")
	}
}

func ExampleVerdict() {
	fmt.Println(Holds, Holds.Glyph(), Fails, Fails.Glyph())
	// Output: holds ✓ fails ✗
}
