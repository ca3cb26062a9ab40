package changes

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"shapecheck/check"
	"shapecheck/internal/reads"
	"shapecheck/present/summary"
	"shapecheck/project/config"
)

var updateDiffs = flag.Bool("update-diffs", false, "rewrite what the cases of testdata/diff want")

// project is a session over files in memory.
func project(t *testing.T, files map[string]string) *check.Session {
	t.Helper()
	s := &check.Session{FS: reads.NewMemory(files)}
	if _, ok := files["shapecheck.toml"]; ok {
		var err error
		if s.Config, err = config.Read(s.FS, "/shapecheck.toml"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// differences is the text of a comparison.
func differences(t *testing.T, old, now map[string]string, sizes summary.Sizes) string {
	t.Helper()
	c := &Comparison{Old: project(t, old), New: project(t, now), Sizes: sizes}
	r := &Report{Old: "old", New: "new", Sizes: sizes}
	var err error
	if r.List, r.Entries, err = c.Differences(t.Context(), check.Unwatched{}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDifferences(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/diff/*.txtar")
	if err != nil || len(archives) < 12 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]map[string]string{"old": {}, "new": {}}
			want := -1
			for i, f := range a.Files {
				if side, file, ok := strings.Cut(f.Name, "/"); ok {
					files[side][file] = string(f.Data)
				} else if f.Name == "want" {
					want = i
				}
			}
			var sizes summary.Sizes
			if _, at, ok := strings.Cut(string(a.Comment), "\nat: "); ok {
				if sizes, err = summary.ParseSizes(strings.TrimSpace(at)); err != nil {
					t.Fatal(err)
				}
			}
			got := differences(t, files["old"], files["new"], sizes)
			if *updateDiffs {
				a.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[want].Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, same := range []string{"old", "new"} {
				if got := differences(t, files[same], files[same], sizes); !strings.HasSuffix(got, ", nothing changed\n") {
					t.Errorf("%s differs from itself:\n%s", same, got)
				}
			}
		})
	}
}

// A folder does not differ from itself also where nothing is taken for granted: each side is run.
func TestNothingDiffersFromItself(t *testing.T) {
	files := map[string]string{}
	root := "../../testdata"
	for _, dir := range []string{"models", "bugs", "readme"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(file) != ".py" {
				return err
			}
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(file)
			files[filepath.ToSlash(rel)] = string(data)
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if len(files) < 5 {
		t.Fatalf("only %d files", len(files))
	}
	// A module that nobody else has makes the looks of both sides differ.
	c := &Comparison{Old: project(t, files), New: project(t, files)}
	units, err := c.units()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range units {
		units[i].same = false
		list, count, err := c.unit(t.Context(), &units[i])
		if err != nil {
			t.Fatal(err)
		}
		if n += count; len(list) > 0 {
			t.Errorf("%s differs from itself: %+v", units[i].name, *list[0])
		}
	}
	if n < 5 {
		t.Errorf("only %d entries", n)
	}
}
