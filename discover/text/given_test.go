package text

import (
	"slices"
	"strings"
	"testing"
)

// TestGivenInstances: what calls give to a parameter, by position, by name, and under a name that was made before.
func TestGivenInstances(t *testing.T) {
	const other = "class Layer(Base):\n    pass\n\ndef build(n):\n    inner = parts.Full(n, 2, scale=0.5, mask=n)\n    a = Layer(inner, 8)\n"
	for _, c := range []struct{ text, want string }{
		{"Layer(Full(False, 'a, b', n, 3, scale=2, mask=n), 8)", "Full(False, 'a, b', scale=2)"},
		{"Layer(dim=8, scores=Full())", "Full()"},
		{"Layer(*parts, Full())", ""},
		{"Layer(make(Full()), 8)", ""},
		{"Layer([Full()], 8)", ""},
		{"# Layer(Full(), 8)", ""},
		{"x.Layer(Full(), 8); Layer(Other(), 2)", "Full(), Other()"},
		{"Layer(Full(\n    True,\n), 8)", "Full(True)"},
		{other, "Full(scale=0.5)"},
	} {
		if got := strings.Join(GivenInstances(c.text, "Layer", "scores", 0), ", "); got != c.want {
			t.Errorf("%s: %q, not %q", c.text, got, c.want)
		}
	}
	if got := GivenInstances("Layer(8, Full())", "Layer", "scores", -1); got != nil {
		t.Error("by name alone:", got)
	}
}

func TestCompleted(t *testing.T) {
	for _, c := range [][3]string{
		{"p.Full()", "False, scale=2", "p.Full(False, scale=2)"},
		{"Full(dim=64)", "False, scale=2, dim=3", "Full(dim=64, scale=2)"},
		{"list(Full)[0]", "False", "list(Full)[0]"},
		{"Full()", "", "Full()"},
	} {
		if got := Completed(c[0], c[1]); got != c[2] {
			t.Errorf("%s with %s: %s, not %s", c[0], c[1], got, c[2])
		}
	}
}

// TestIgnores: a parameter that the body of a constructor does not read, unless it may read all of them.
func TestIgnores(t *testing.T) {
	f := read(t, "class Net:\n    def __init__(self, a, b, c=1):\n        self.x = [a for _ in range(c)]\n\n"+
		"class Other:\n    def __init__(self, a):\n        keep(locals())\n")
	init := func(class string) (out []string) {
		def := method(f.classes[class], "__init__")
		for _, p := range def.Params.Args {
			if Ignores(def, p.Name) {
				out = append(out, p.Name)
			}
		}
		return out
	}
	if got := init("Net"); !slices.Equal(got, []string{"b"}) {
		t.Error("Net:", got)
	}
	if got := init("Other"); got != nil {
		t.Error("Other:", got)
	}
}
