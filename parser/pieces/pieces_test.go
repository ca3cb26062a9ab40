package pieces

import (
	"testing"

	"shapecheck/internal/source"
)

// in makes a module of a text in a set of files, where it does not begin at the first position.
func in(t *testing.T, text string) (*source.File, *Module) {
	t.Helper()
	set := source.NewFileSet()
	f := source.NewFile("m.py", text)
	if err := set.Add(source.NewFile("other.py", "x = 1\n")); err != nil {
		t.Fatal(err)
	}
	if err := set.Add(f); err != nil {
		t.Fatal(err)
	}
	return f, Of(f)
}

// at are the places where texts begin.
func at(f *source.File, offsets ...int) map[source.Pos]bool {
	out := map[source.Pos]bool{}
	for _, n := range offsets {
		out[f.Pos(n)] = true
	}
	return out
}

func TestHashesAreOfWhatRan(t *testing.T) {
	const text = "if a:\n    x = 1\nelse:\n    x = 2\ndef f(): return 1\n"
	hash := func(text string, offsets ...int) string {
		f, m := in(t, text)
		return m.Ran(at(f, offsets...))
	}
	base := hash(text, 0, 10, 32)
	for _, c := range []struct {
		text    string
		offsets []int
		equal   bool
	}{
		{text, []int{0, 10, 32}, true},
		{text, []int{0, 26, 32}, false}, // the other branch
		{text, []int{0, 10, 32, 41}, false},
		{"if a:\n    x = 1\nelse:\n    x = 3\ndef f(): return 2\n", []int{0, 10, 32}, true},
		{"if b:\n    x = 1\nelse:\n    x = 2\ndef f(): return 1\n", []int{0, 10, 32}, false},
		{"if a:\n    pass\nx = 1\ndef f(): return 1\n", []int{0, 15, 21}, false}, // outside of the branch
		{"if a:\n    x = 1\nelse:\n    x = 2\ndef g(): return 1\n", []int{0, 10, 32}, false},
	} {
		if got := hash(c.text, c.offsets...); (got == base) != c.equal {
			t.Errorf("%q %v: equal is %v", c.text, c.offsets, got == base)
		}
	}
}

func TestPublicIsWhatOthersCanName(t *testing.T) {
	const text = "class A:\n    x = 1\n    def f(self, n=1):\n        return n\n\nif a:\n    B = 1\n"
	_, base := in(t, text)
	for _, c := range []struct {
		text  string
		equal bool
	}{
		{"# c\nclass A:\n    'doc'\n    x = 1\n    def f(self, n=1):\n        return n + 1\n    def _g(self): pass\n\nif a:\n    B = 1\n    _c = 2\n", true},
		{text + "if __name__ == '__main__':\n    C = 1\n", true},
		{text + "print(1)\n", true},
		{text + "C = 1\n", false},
		{"class A(B):\n    x = 1\n    def f(self, n=1):\n        return n\n\nif a:\n    B = 1\n", false},
		{"class A:\n    x = 1\n    def f(self, n=2):\n        return n\n\nif a:\n    B = 1\n", false},
		{text + "try:\n    import m\nexcept ImportError:\n    m = None\n", false},
	} {
		if _, m := in(t, c.text); (m.Public() == base.Public()) != c.equal {
			t.Errorf("%q: equal is %v", c.text, m.Public() == base.Public())
		}
	}
}
