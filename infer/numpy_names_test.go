package infer

// This file holds the names of numpy, which its versions gave, against what a program finds.

import (
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/value"
)

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
