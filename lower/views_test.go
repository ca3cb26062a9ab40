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
		{"through out=", "y = torch.zeros_like(x)\n    torch.add(x, 1, out=y[:])\n    return y", "zeros_like add arange reshape getitem put"},
		{"a result of a condition, whose parts are not read again",
			"y = x * 1\n    if x.sum() > 0:\n        y = y * 2\n    y.add_(1)\n    return y", "mul sum gt add"},
		{"only the look changes", "y = x.clone()\n    y.unsqueeze_(0)\n    return y", "clone unsqueeze"},
	} {
		if got := calls(t, "import torch\n\n\ndef forward(x):\n    "+c.body+"\n", "x:f32[n,3]"); got != c.want {
			t.Errorf("%s: calls %s, want %s", c.name, got, c.want)
		}
	}
}

// Where a write cannot be followed there is an error, not a model without it.
func TestWritesThatCannotBeFollowed(t *testing.T) {
	several, list := "may be one of several", "a list of unknown length that is read later"
	for _, c := range []struct{ name, body, want string }{
		{"into what a loop may leave alone",
			"y = x * 1\n    z = y\n    for i in range(x.shape[0]):\n        z = z * 2\n    z.add_(1)\n    return y", several},
		{"in the first iteration only",
			"y = x * 1\n    z = y\n    for i in range(x.shape[0]):\n        y.add_(1)\n        z = z * 2\n    return z", several},
		{"into a view from a list", "a = x.clone()\n    b, _ = torch.broadcast_tensors(a, x)\n    b.zero_()\n    return a", several},
		{"into elements of a list", "ts = []\n    for i in range(x.shape[0]):\n        ts.append(x[i] * 2)\n    for t in ts:\n        t.add_(1)\n    return torch.stack(ts)", list},
		{"into what a list holds", "ts = []\n    h = x[0]\n    for i in range(x.shape[0]):\n        h = h + x[i]\n        ts.append(h)\n        h.mul_(2)\n    return torch.stack(ts)", list},
		{"into what a list holds views of",
			"y = x.clone()\n    ts = []\n    for i in range(x.shape[0]):\n        ts.append(y[i])\n    y.mul_(2)\n    return torch.stack(ts)", list},
		{"into the one tensor of a list",
			"ts = []\n    h = x[0] * 1\n    for i in range(x.shape[0]):\n        h += x[i]\n        ts.append(h)\n    return torch.stack(ts)", list},
		{"through windows that overlap", "y = x.clone()\n    y.unfold(1, 2, 1)[0] = 7\n    return y", "elements overlap in memory"},
		{"through windows that are read", "w = x.clone().unfold(1, 2, 1)\n    w[0, 1] = 7\n    return w", "elements overlap in memory"},
		{"into two results of one branch",
			"if x.sum() > 0:\n        a = x * 2\n        b = a[0]\n    else:\n        a, b = x, x[0] * 1\n    b.add_(1)\n    return a", several},
	} {
		if _, err := export(t, "import torch\n\n\ndef forward(x):\n    "+c.body+"\n", "x:f32[n,3]"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
