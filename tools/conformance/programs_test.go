package conformance

import (
	"testing"

	"shapecheck/infer"
)

// TestExportedProgramsGiveTheRecordedNumbers runs the programs of testdata/export/numbers, in the evaluator and in both engines,
// with the recorded sizes and with symbols in their place.
func TestExportedProgramsGiveTheRecordedNumbers(t *testing.T) {
	programs, err := ReadPrograms("../../testdata/export/numbers")
	if err != nil {
		t.Fatal(err)
	}
	cache := infer.NewCache()
	for _, symbolic := range []bool{false, true} {
		for _, r := range (&NumericRun{Cache: cache, Engines: Engines(), Symbolic: symbolic}).All(programs) {
			if r.Worst() != NumbersEqual {
				t.Errorf("%s, symbolic sizes %v: %s: %s\n%s", r.Program.Op, symbolic, r.Worst(), r.Why, r.Program.Src)
			}
		}
	}
}
