package check

import (
	"os"
	"path/filepath"
	"testing"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// TestRecordsReadNothingOutside loads records that name a file outside of the roots, as somebody may have written them: they count as out
// of date.
func TestRecordsReadNothingOutside(t *testing.T) {
	top := t.TempDir()
	in, out := filepath.Join(top, "in"), filepath.Join(top, "out.py")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	const text = "x = 1\n"
	for _, file := range []string{out, filepath.Join(in, "a.py")} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, fresh := range map[string]bool{filepath.Join(in, "a.py"): true, out: false} {
		log := &reads.Log{}
		if _, err := log.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		for _, rec := range []*keptRun{{Reads: log.List()}, {Files: []keptFile{{Name: "a.py", Path: path, Sum: textSum(text),
			Size: len(text)}}}} {
			seen := &reads.Log{}
			l := newLoader(seen, source.NewFileSet())
			l.FS.Add(reads.Root{Path: in, Reach: reads.Everything})
			if _, err := l.load(rec); (err == nil) != fresh {
				t.Errorf("%s: %v", path, err)
			}
			for _, r := range seen.List() {
				if r.Path == out && r.Kind == reads.Text {
					t.Errorf("%s is read", out)
				}
			}
		}
	}
}
