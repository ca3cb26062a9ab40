package lower_test

import (
	"strings"
	"testing"
)

// calls lists the functions that a program's model calls, in order.
func calls(t *testing.T, text string, args ...string) string {
	t.Helper()
	m, err := export(t, text, args...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range m.Graph.Nodes {
		if n.Domain == "aten" {
			names = append(names, n.Op)
		}
	}
	return strings.Join(names, " ")
}

func TestWritesThroughViewsReachTheBase(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a view of a view", "y = x.clone()\n    y[0][1].zero_()\n    return y",
			"clone getitem getitem_2 zero_ arange reshape getitem getitem_2 put"},
		{"another view is taken again", "y = x.clone()\n    z = y[1]\n    y[0].zero_()\n    return z",
			"clone getitem zero_ arange reshape getitem put getitem_2"},
		{"the whole tensor", "y = x.clone()\n    z = y[1]\n    y.mul_(2)\n    return z", "clone mul getitem"},
		{"a view made afterwards", "y = x.clone()\n    y.mul_(2)\n    return y[1]", "clone mul getitem"},
		{"only the look changes", "y = x.clone()\n    y.unsqueeze_(0)\n    return y", "clone unsqueeze"},
	} {
		if got := calls(t, "import torch\n\n\ndef forward(x):\n    "+c.body+"\n", "x:f32[n,3]"); got != c.want {
			t.Errorf("%s: calls %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWritesFromConditionsIntoViewsOutside(t *testing.T) {
	_, err := export(t, `import torch


def forward(x):
    y = x.clone()
    z = y[0]
    if x.sum() > 0:
        z.zero_()
    return y
`, "x:f32[n,3]")
	if err == nil || !strings.Contains(err.Error(), "writes into a view") {
		t.Errorf("error %v, want that the write has no form", err)
	}
}
