package text

import (
	"slices"
	"testing"
)

func TestCalls(t *testing.T) {
	const source = "Net(1)\nx = nets.Net(2) + a.b.Net(3) + self.MyNet(4) + Net (5) + f(Net(6))\nclass Net(7): pass\n.Net(8)"
	var got []string
	for start, end := range Calls(source, "Net") {
		got = append(got, source[start:end+1])
	}
	if want := []string{"Net(1", "nets.Net(2", "Net(6", "Net(7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSetsAttribute(t *testing.T) {
	for source, want := range map[string]bool{
		"model.head = None":                              true,
		"models[0].head = 1":                             true,
		"make(x).head: int = 1":                          true,
		"setattr(model, 'head', 1)":                      true,
		"self.head = 1":                                  false,
		"model.head == 1":                                false,
		"model.header = 1":                               false,
		"print(model.head)":                              false,
		"self.head = 1\nprint(b.head)\nmodel.head = 2\n": true,
	} {
		if got := SetsAttribute(source, "head"); got != want {
			t.Errorf("%q: %v", source, got)
		}
	}
}
