package conformance

import (
	"flag"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/counts"
)

var updateCounts = flag.Bool("update-counts", false, "write what was counted into testdata/counts.txt")

// TestProgramsGiveTheRecordedNumbers runs every recorded program but those that
// need torchvision's sources; "conformance numeric --path DIST" runs them, too.
func TestProgramsGiveTheRecordedNumbers(t *testing.T) {
	programs, err := ReadPrograms("../../testdata/numeric")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("all programs take 10 s of processor time")
	}
	results := (&NumericRun{Cache: infer.NewCache()}).All(programs)
	for _, r := range results {
		if r.Outcome == NumbersBroken {
			t.Errorf("%s: %s\n%s", r.Program.ID, r.Why, r.Program.Src)
		}
	}
	if err := counts.Check("../../testdata/counts.txt", "numeric", NumericRows(results), *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./internal/conformance -update-counts writes the file; conformance numeric -v lists the programs)", err)
	}
}
