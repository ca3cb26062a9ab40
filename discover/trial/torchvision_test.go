package trial

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/diag"
)

var updateDiscovered = flag.Bool("update-discovered", false, "rewrite testdata/discover.tsv")

// TestWhatIsDiscoveredInTorchvision holds the entries of torchvision's models and operations
// against testdata/discover.tsv: none may have a finding that counts, for all of this code runs.
// SHAPECHECK_TORCHVISION is the folder of the package, of version 0.14.
func TestWhatIsDiscoveredInTorchvision(t *testing.T) {
	dist := os.Getenv("SHAPECHECK_TORCHVISION")
	if dist == "" {
		t.Skip("SHAPECHECK_TORCHVISION is not set")
	}
	table, err := filepath.Abs("../../testdata/discover.tsv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dist)
	s := &check.Session{}
	files, err := s.Files([]string{"torchvision/models", "torchvision/ops"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := CheckFiles(t.Context(), s, files, silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	with, useful, runs := 0, 0, 0
	fmt.Fprintf(&b, "# What is discovered in torchvision 0.14: file, entry, arguments, result; rewritten by -update-discovered.\n")
	for _, d := range p.Discovered {
		good := false
		for _, x := range ranOf(d) {
			if x.Err != nil {
				t.Errorf("%s: %v", d.File, x.Err)
				continue
			}
			r := x.Result
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", d.File, r.Target.Run.Entry, strings.Join(r.Target.Run.Args, " "), r.OutputType)
			good = good || r.OutputType != "" && r.OutputType != "?"
		}
		text, err := os.ReadFile(d.File)
		if err != nil {
			t.Fatal(err)
		}
		if len(ranOf(d)) > 0 || strings.Contains(string(text), "def forward") {
			if len(ranOf(d)) == 0 {
				fmt.Fprintf(&b, "%s\t\t\t%s\n", d.File, d.WhyNot)
			}
			with++
			runs += d.Runs
			if good {
				useful++
			}
		}
	}
	fmt.Fprintf(&b, "# %d of %d files with a model have a result, %d runs\n", useful, with, runs)
	for _, d := range p.Diagnostics {
		if d.Severity > diag.Info {
			t.Errorf("%s: %s %s", p.Files.Position(d.At.Start), d.Code, d.Msg)
		}
	}
	if *updateDiscovered {
		if err := os.WriteFile(table, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("on %s: the table has changed (-update-discovered):\n%s", runtime.GOARCH, got)
	}
}
