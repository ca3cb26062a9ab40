package golden

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/tools/counts"
)

var updateCounts = flag.Bool("update-counts", false, "write what was counted into testdata/counts.txt")

var shapeComment = regexp.MustCompile(`#\s*shape:`)

// TestShapeCommentsAreConfirmed counts the comments that say a type and that no run
// of PyTorch has confirmed: those that are not in testdata/confirmed.txt, or whose
// program was changed since. They must be fewer than one in twenty.
func TestShapeCommentsAreConfirmed(t *testing.T) {
	confirmed := readConfirmed(t)
	paths, err := filepath.Glob("../../testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	var rows []counts.Row
	all, none := 0, 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		archive := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")
		comments, missing := 0, 0
		for _, c := range Cases(ar) {
			name := c.Name
			if name == "" {
				name = "-"
			}
			known := confirmed[archive+"\t"+name+"\t"+digest(c.Files)]
			for _, f := range c.Files {
				if !strings.HasSuffix(f.Name, ".py") {
					continue
				}
				for i, line := range strings.Split(string(f.Data), "\n") {
					if !shapeComment.MatchString(line) {
						continue
					}
					if comments++; !known[fmt.Sprintf("%s:%d", f.Name, i+1)] {
						missing++
						t.Logf("%s %s %s:%d: %s", archive, name, f.Name, i+1, strings.TrimSpace(line))
					}
				}
			}
		}
		all, none = all+comments, none+missing
		if missing > 0 {
			rows = append(rows, counts.Row{Name: archive, Counts: []counts.Count{{Name: "comments", N: comments},
				{Name: "not confirmed", N: missing}}})
		}
	}
	rows = append(rows, counts.Row{Name: "all", Counts: []counts.Count{{Name: "comments", N: all}, {Name: "not confirmed", N: none}}})
	if none*20 >= all {
		t.Errorf("%d of %d shape comments are not confirmed by a run of PyTorch: testdata/against_torch.py --confirm", none, all)
	}
	if err := counts.Check("../../testdata/counts.txt", "shape comments", rows, *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./tools/golden -update-counts writes the file)", err)
	}
}

// readConfirmed reads what against_torch.py --confirm wrote: the lines by archive, case
// and digest.
func readConfirmed(t *testing.T) map[string]map[string]bool {
	t.Helper()
	data, err := os.ReadFile("../../testdata/confirmed.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]bool{}
	for _, line := range strings.Split(string(data), "\n") {
		f := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		lines := map[string]bool{}
		for _, l := range strings.Fields(f[3]) {
			lines[l] = true
		}
		out[strings.Join(f[:3], "\t")] = lines
	}
	return out
}

// digest identifies the programs of a case, as against_torch.py does.
func digest(files []txtar.File) string {
	h := sha256.New()
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".py") {
			fmt.Fprintf(h, "%s\n%s", f.Name, f.Data)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
