package infer

// This file holds the names of PyTorch 2.15 against what is known of them.
//
// It also holds the names of numpy, which its versions gave, against what a program finds.
//
// It also holds the public names of Chainer against what the prelude and the records
// know.

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

// TestNumpyNames looks up every public name under the versions that have it and that do
// not. testdata/numpy_unknown.txt names what is there without being known, and why.
func TestNumpyNames(t *testing.T) {
	data, err := os.ReadFile("testdata/numpy_names.txt")
	if err != nil {
		t.Fatal(err)
	}
	unknown := unknownNames(t)
	seen := map[string]bool{}
	for _, v := range [...]struct{ short, full string }{{"1.23", "1.23.5"}, {"1.26", "1.26.4"}, {"2.4", "2.4.6"}} {
		run, err := newModuleRun("2.15.0", v.full)
		if err != nil {
			t.Fatal(err)
		}
		run.vars = map[string]value.Value{}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 3 {
				continue
			}
			has := slices.Contains(strings.Fields(f[2]), v.short)
			got, err := run.in.evalText(run.main, "name", numpyName(f[0]), run.vars)
			switch {
			case !has && err == nil && !value.IsUnknown(got):
				t.Errorf("numpy %s: %s is there, and should not be", v.full, f[0])
			case has && err != nil:
				t.Errorf("numpy %s: %s: %v", v.full, f[0], err)
			case has && value.IsUnknown(got):
				if seen[f[0]] = true; unknown[f[0]] == "" {
					t.Errorf("numpy %s: %s is not known, and has no line in testdata/numpy_unknown.txt", v.full, f[0])
				}
			}
		}
	}
	for name := range unknown {
		if !seen[name] {
			t.Errorf("testdata/numpy_unknown.txt: %s is known", name)
		}
	}
}

// numpyName is an expression for a name.
func numpyName(name string) string {
	name = "np" + strings.TrimPrefix(name, "numpy")
	for cls, object := range map[string]string{"np.ndarray.": "np.zeros((2, 2)).", "np.random.Generator.": "np.random.default_rng().",
		"np.random.RandomState.": "np.random.RandomState()."} {
		if rest, ok := strings.CutPrefix(name, cls); ok {
			return object + rest
		}
	}
	return name
}

// unknownNames reads the names that are not known, with the reasons.
func unknownNames(t *testing.T) map[string]string {
	data, err := os.ReadFile("testdata/numpy_unknown.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, why, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || name == "" {
			continue
		}
		if !ok || why == "" {
			t.Errorf("testdata/numpy_unknown.txt: %s has no reason", name)
		}
		out[name] = why
	}
	return out
}

// TestChainerAPIIsKnown looks up every public function and class of Chainer: each is
// known, or stands in testdata/chainer_unknown.txt with the reason.
func TestChainerAPIIsKnown(t *testing.T) {
	run, err := newChainerRun()
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{} // whether a name is of any use
	for _, l := range apiLines(t, "testdata/chainer_unknown.txt") {
		name, why, _ := strings.Cut(l, "\t")
		if why == "" {
			t.Errorf("%s has no reason", name)
		}
		reasons[name] = false
	}
	for _, name := range apiLines(t, "testdata/chainer_api.txt") {
		v, err := run.lookup(name)
		known := err == nil && !value.IsUnknown(v)
		listed := false
		for p := name; p != ""; p = p[:max(0, strings.LastIndexByte(p, '.'))] {
			if _, ok := reasons[p]; ok {
				listed = true
				if !known {
					reasons[p] = true
				}
			}
		}
		switch {
		case !known && !listed:
			t.Errorf("%s is not known: %v %v", name, v, err)
		case listed && err != nil:
			t.Errorf("%s is listed as unknown, but gives an error: %v", name, err)
		}
	}
	for name, used := range reasons {
		if !used {
			t.Errorf("testdata/chainer_unknown.txt: everything of %s is known", name)
		}
	}
}

// lookup evaluates a dotted name, importing the modules on the way.
func (run *moduleRun) lookup(name string) (value.Value, error) {
	parts := strings.Split(name, ".")
	v, err := run.in.Import(parts[0])
	for i := 1; i < len(parts) && err == nil && !value.IsUnknown(v); i++ {
		if _, isModule := v.(*value.Module); isModule {
			if m, err := run.in.imports.loadModule(strings.Join(parts[:i+1], ".")); err == nil && m != nil && i+1 < len(parts) {
				v = m
				continue
			}
		}
		v, err = run.in.GetAttr(v, parts[i])
	}
	return v, err
}

func apiLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}
