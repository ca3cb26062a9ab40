package trial

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

var update = flag.Bool("update", false, "write what is found into the archives")

// TestVerdicts compares the states of entries, and the errors and warnings of each, with those in the archives of
// testdata/verdicts: of each file that is alone, and of the folder. The comment says why they are right.
func TestVerdicts(t *testing.T) {
	archives, err := filepath.Glob("testdata/verdicts/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts, want := map[string]string{}, ""
			var files []string
			out := &txtar.Archive{Comment: a.Comment}
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				out.Files = append(out.Files, f)
				texts["/"+f.Name] = string(f.Data)
				files = append(files, f.Name)
			}
			got := verdicts(t, texts, files)
			if alone := ""; len(files) > 1 {
				for _, f := range files {
					alone += verdicts(t, texts, []string{f})
				}
				if alone != got {
					t.Errorf("in a folder\n%s\nalone\n%s", got, alone)
				}
			}
			if got == want {
				return
			}
			if !*update {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			out.Files = append(out.Files, txtar.File{Name: "want", Data: []byte(got)})
			if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// verdicts are the entries of files, a line each: its state, its basis, its name, its inputs, its errors and warnings.
func verdicts(t *testing.T, texts map[string]string, files []string) string {
	t.Helper()
	p, err := CheckFiles(t.Context(), &check.Session{FS: reads.NewMemory(texts)}, files, quiet{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	own := map[*diag.Diagnostic]bool{}
	for _, x := range p.Entries {
		if x.Err != nil {
			t.Fatal(x.Name, x.Err)
		}
		fmt.Fprintf(&b, "%s (%s) %s", x.State(), x.Result.Target.Basis, x.Name)
		if args := strings.Join(x.Result.Target.Run.Args, " "); args != "" {
			b.WriteString(" " + args)
		}
		for _, d := range x.Result.Diagnostics {
			own[d] = true
			if check.FindingCode(d.Code, d.Severity) != check.ExitClean {
				at := p.Files.Position(d.At.Start)
				fmt.Fprintf(&b, ", %s %s:%d", d.Code, at.File.Label(), at.Line)
			}
		}
		b.WriteByte('\n')
	}
	for _, d := range p.Diagnostics { // of no entry
		if at := p.Files.Position(d.At.Start); !own[d] {
			fmt.Fprintf(&b, "%s %s %s:%d\n", d.Severity, d.Code, at.File.Label(), at.Line)
		}
	}
	return b.String()
}

// quiet watches nothing.
type quiet struct{}

func (quiet) Begin(string) {}
func (quiet) End()         {}

// The contract of the best run is asked after runs with other inputs, whose symbols are others.
func TestContractsOutliveLaterRuns(t *testing.T) {
	text, d := discovered(t, map[string]string{"net.py": header + `
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, patches):
        ones = torch.ones(patches.shape[0], patches.shape[2], 64, 64)
        patches = patches.permute(0, 2, 3, 4, 1).flatten(1, 3)
        norm = F.fold(F.unfold(ones, kernel_size=8, stride=8), output_size=(64, 64), kernel_size=8, stride=8)
        return F.fold(patches, output_size=(64, 64), kernel_size=8, stride=8) / norm
`})
	if want := "Net() | patches:f32[B,64,D,H,W] | trial | f32[B,D,64,64]"; text != want || d.WhyNot != "" {
		t.Errorf("%s %q, not %s", text, d.WhyNot, want)
	}
}
