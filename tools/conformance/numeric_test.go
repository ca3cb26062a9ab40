package conformance

import (
	"flag"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/tools/counts"
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
	waivers, err := counts.ReadWaivers("../../testdata/numeric/waivers.txt")
	if err != nil {
		t.Fatal(err)
	}
	results := (&NumericRun{Cache: infer.NewCache()}).All(programs)
	found := counts.Found{}
	for _, r := range results {
		switch r.Outcome {
		case NumbersEqual, NumbersSkipped, NumbersNotComputed: // counts.txt has them
		default:
			key := r.Program.Family() + "/" + r.Program.Op
			found.Add(key, r.Outcome.String())
			if !waivers.Has(key, r.Outcome.String()) {
				t.Errorf("%s: %s: %s\n%s", r.Program.ID, r.Outcome, r.Why, r.Program.Src)
			}
		}
	}
	for _, problem := range waivers.Check(found) {
		t.Error(problem)
	}
	if err := counts.Check("../../testdata/counts.txt", "numeric", NumericRows(results), *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./tools/conformance -update-counts writes the file; conformance numeric -v lists the programs)", err)
	}
}

// TestProgramsRunOnTheMachine compiles every twelfth program, in both engines;
// "conformance numeric --machine" runs them all.
func TestProgramsRunOnTheMachine(t *testing.T) {
	programs, err := ReadPrograms("../../testdata/numeric")
	if err != nil {
		t.Fatal(err)
	}
	var some []*Program
	for i := 0; i < len(programs); i += 12 {
		some = append(some, programs[i])
	}
	equal := 0
	for _, r := range (&NumericRun{Cache: infer.NewCache(), Engines: Engines()}).All(some) {
		if r.Outcome == NumbersEqual && r.Worst() != NumbersEqual {
			t.Errorf("%s: %s: %s\n%s", r.Program.ID, r.Worst(), r.Why, r.Program.Src)
		}
		if r.Worst() == NumbersEqual && len(r.Machine) == 2 {
			equal++
		}
	}
	if equal < 480 {
		t.Errorf("%d programs were compared", equal)
	}
}

// Programs whose sizes are symbols, and that resize by factors: their sizes are computed as
// Python computes floats, and one program has PyTorch's numbers at the recorded sizes.
func TestSizesByFactorsRunOnTheMachine(t *testing.T) {
	programs, err := ReadPrograms("../../testdata/numeric")
	if err != nil {
		t.Fatal(err)
	}
	var some []*Program
	for _, p := range programs {
		if strings.Contains(p.Src, "interpolate(") {
			some = append(some, p)
		}
	}
	floats := 0
	run := NumericRun{Cache: infer.NewCache(), Engines: Engines(), Symbolic: true}
	for _, r := range run.All(some) {
		if r.Outcome == NumbersEqual && r.Worst() != NumbersEqual {
			t.Errorf("%s: %s: %s\n%s", r.Program.ID, r.Worst(), r.Why, r.Program.Src)
		}
		if r.Worst() == NumbersEqual && strings.Contains(r.Program.Src, "scale_factor=0.") {
			floats++
		}
	}
	if floats < 13 {
		t.Errorf("%d programs with such factors were compared", floats)
	}
}
