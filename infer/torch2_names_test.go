package infer

// This file holds the names of PyTorch 2.15 against what is known of them.

import (
	"fmt"
	"os"
	gopath "path"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/value"
	"shapecheck/tools/counts"
)

// TestTorch2NamesAreKnown reads each name of testdata/torch215/names.txt as a program
// would: it has a value, or a line of unknown_names.txt says why not.
func TestTorch2NamesAreKnown(t *testing.T) {
	lines := func(name string) []string {
		text, err := os.ReadFile("testdata/torch215/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return l == "" || l[0] == '#' })
	}
	type reason struct {
		pattern, text string
		used          int
	}
	var reasons []*reason
	for _, l := range lines("unknown_names.txt") {
		patterns, why, ok := strings.Cut(l, ": ")
		if !ok || strings.TrimSpace(why) == "" {
			t.Fatalf("unknown_names.txt: no reason: %s", l)
		}
		for _, p := range strings.Fields(patterns) {
			reasons = append(reasons, &reason{pattern: p, text: why})
		}
	}
	run, err := newModuleRun("2.15.0", "")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, l := range lines("names.txt") {
		_, name, _ := strings.Cut(l, " ")
		var why *reason
		for _, r := range reasons {
			if ok, err := gopath.Match(r.pattern, name); err != nil {
				t.Fatal(err)
			} else if ok {
				why = r
				break
			}
		}
		known := run.knows(name)
		switch {
		case known && (why == nil || strings.Contains(why.pattern, "*")):
			n["known"]++
		case known:
			t.Errorf("%s is known: remove it from unknown_names.txt", name)
		case why == nil:
			t.Errorf("%s is not known: it needs a rule, a model in the prelude, or a line in unknown_names.txt", name)
		default:
			why.used++
			n["with a reason"]++
		}
	}
	for _, r := range reasons {
		if r.used == 0 {
			t.Errorf("unknown_names.txt: %s stands for no name", r.pattern)
		}
	}
	checkCounts(t, "names of PyTorch 2.15", []counts.Row{{Name: "names", Counts: []counts.Count{
		{Name: "known", N: n["known"]}, {Name: "with a reason", N: n["with a reason"]}}}})
}

// knows reports whether a name of torch has a value that is known.
func (run *moduleRun) knows(name string) bool {
	parts := strings.Split(name, ".")
	var src strings.Builder
	for i := 2; i <= len(parts); i++ { // what is no module cannot be imported
		fmt.Fprintf(&src, "try:\n    import %s\nexcept (ImportError, AttributeError): pass\n", strings.Join(parts[:i], "."))
	}
	fmt.Fprintf(&src, "y = %s\n", name)
	run.vars = map[string]value.Value{}
	v, err := run.exec(src.String(), "y")
	return err == nil && v != nil && !value.IsUnknown(v)
}

// TestFilesOfTorchNNHaveWhatTheyImport takes each public name that a file of torch.nn.modules
// binds in PyTorch 2.15 from there, as programs do.
func TestFilesOfTorchNNHaveWhatTheyImport(t *testing.T) {
	text, err := os.ReadFile("ops/torch/modulenames.txt")
	if err != nil {
		t.Fatal(err)
	}
	run, err := newModuleRun("2.15.0", "")
	if err != nil {
		t.Fatal(err)
	}
	// What has no use outside of PyTorch.
	left := " annotations deprecated reproducibility_notes convolution_notes LinearCrossEntropyOptions T Self DeviceLikeType is_traceable_wrapper_subclass sync_batch_norm "
	known := 0
	for l := range strings.Lines(string(text)) {
		f := strings.Fields(l)
		if f[0] != "2.15" || strings.Contains(f[1], "._") || strings.HasSuffix(f[1], "linear_cross_entropy_options") {
			continue
		}
		for _, name := range f[2:] {
			if name[0] == '_' || strings.Contains(left, " "+name+" ") {
				continue
			}
			if !run.knows(f[1] + "." + name) {
				t.Errorf("%s.%s is not known", f[1], name)
			}
			known++
		}
	}
	if known < 250 {
		t.Errorf("only %d names were looked up", known)
	}
}
