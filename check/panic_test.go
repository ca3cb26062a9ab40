package check

import (
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// silent watches nothing.
type silent struct{}

func (silent) Begin(string) {}
func (silent) End()         {}

// A faultyFS panics where one of its files is read.
type faultyFS struct {
	reads.FS
	name string
}

func (f faultyFS) ReadFile(path string) ([]byte, error) {
	if filepath.Base(path) == f.name {
		panic("a fault of the test")
	}
	return f.FS.ReadFile(path)
}

// TestPanicIsOfOneEntry checks that a panic inside one entry is that entry's SC999 and
// that the others have their results.
func TestPanicIsOfOneEntry(t *testing.T) {
	const net = "import torch\ndef f(x: torch.Tensor):\n    return x @ torch.zeros(4, 5)\n"
	files := reads.NewMemory(map[string]string{"a.py": net, "b.py": "import faulty\n" + net, "faulty.py": "", "c.py": net})
	s := &Session{FS: faultyFS{files, "faulty.py"}}
	var targets []*Target
	for _, file := range []string{"a.py", "b.py", "c.py"} {
		targets = append(targets, &Target{Name: file, Run: infer.Config{File: file, Entry: "f", Args: []string{"x:f32[3,4]"}}})
	}
	p, err := s.CheckAll(t.Context(), targets, silent{})
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range p.Entries {
		if o.Result == nil {
			t.Fatalf("%s: no result: %v", targets[i].Name, o.Err)
		}
		var got []string
		for _, d := range o.Result.Diagnostics {
			got = append(got, string(d.Code)+" "+d.Msg)
		}
		if i == 1 {
			if len(got) != 1 || !strings.HasPrefix(got[0], string(diag.InternalError)) || !strings.Contains(got[0], "a fault of the test") {
				t.Errorf("b.py: %q", got)
			}
		} else if len(got) != 0 || !o.Result.Checked {
			t.Errorf("%s: %q", targets[i].Name, got)
		}
	}
}
