package conformance

import (
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/lower/aten"
	"shapecheck/tools/counts"
)

var updateCounts = flag.Bool("update-counts", false, "write what was counted into testdata/counts.txt")

// TestProgramsGiveTheRecordedNumbers runs every recorded program but those that
// need torchvision's sources; "conformance numeric --path DIST" runs them, too. Each rule of lowering of a function of PyTorch
// is run by one of them, or of testdata/export/numbers, or has a reason.
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
	others := watchLowerings(t)
	results := (&NumericRun{Cache: infer.NewCache()}).All(programs)
	more, err := ReadPrograms("../../testdata/export/numbers")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range (&NumericRun{Cache: infer.NewCache()}).All(more) {
		if r.Outcome != NumbersEqual { // TestExportedProgramsGiveTheRecordedNumbers says why
			t.Errorf("%s: %s", r.Program.Op, r.Outcome)
		}
	}
	missing := others()
	for _, name := range missing {
		if withoutNumbers[name] == "" {
			t.Errorf("no recorded program shows the numbers of the lowering of %s: testdata/export/numbers/cases.py needs one, or withoutNumbers a reason", name)
		}
	}
	for name := range withoutNumbers {
		if !slices.Contains(missing, name) {
			t.Errorf("withoutNumbers has %s, which a recorded program has or which is not lowered", name)
		}
	}
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

// withoutNumbers are functions whose rules of lowering no recorded program runs, with the reason.
var withoutNumbers = map[string]string{
	"torch.Tensor.__new__":  "its elements are what memory had",
	"torch.Tensor.normal_":  "it draws",
	"torch.Tensor.uniform_": "it draws",
	"torch.bernoulli":       "it draws",
	"torch.nn.functional.triplet_margin_with_distance_loss": "torch.nn.functional has it in Python",
	"torch.normal":                        "it draws",
	"torch.ops.torchvision.deform_conv2d": "it needs torchvision's sources",
	"torch.ops.torchvision.nms":           "it needs torchvision's sources",
	"torch.ops.torchvision.roi_align":     "it needs torchvision's sources",
	"torch.rand":                          "it draws",
	"torch.rand_like":                     "it draws",
	"torch.randint":                       "it draws",
	"torch.randn":                         "it draws",
	"torch.randn_like":                    "it draws",
	"torch.randperm":                      "it draws",
}

// watchLowerings notes which functions of PyTorch that have a rule of lowering are lowered from then on; the result gives the others.
func watchLowerings(t *testing.T) (others func() []string) {
	t.Helper()
	var met sync.Map
	rules := map[*aten.Record]string{}
	catalog.All(func(op *ops.Op) {
		name := op.Names[0]
		r, ok := aten.Lookup(name)
		if !ok || r.Lower == nil || rules[r] != "" || !strings.HasPrefix(name, "torch.") {
			return
		}
		rules[r] = name
		rule := r.Lower
		r.Lower = func(c *aten.Call) {
			met.Store(r, true)
			rule(c)
		}
		t.Cleanup(func() { r.Lower = rule })
	})
	return func() []string {
		var out []string
		for r, name := range rules {
			if _, ok := met.Load(r); !ok {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return out
	}
}
