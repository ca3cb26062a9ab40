package trial

import (
	"testing"

	"shapecheck/check"
	"shapecheck/internal/reads"
)

// A fault of a constructor that no argument avoids is a finding, though its arguments are guesses; one that another argument avoids is
// none.
func TestFaultsOfConstructors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		errors     int
	}{
		{"a keyword that a layer has not", `
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n, biass=True)
`, 1},
		{"super without an object", `
    def __init__(self, n, bias=True):
        super(Net).__init__(n=n, bias=bias)
        self.fc = nn.Linear(n, n)
`, 1},
		{"a base called without self", `
    def __init__(self, n):
        nn.Module.__init__()
        self.fc = nn.Linear(n, n)
`, 1},
		{"no call of the base", `
    def __init__(self, n):
        self.fc = nn.Linear(n, n)
`, 1},
		{"a name of a module that it has not", `
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Lineer(n, n)
`, 1},
		{"a name that is bound nowhere", `
    def __init__(self, n, act):
        super().__init__()
        self.fc = nn.Linear(n, m)
`, 1},
		{"too many arguments of a layer", `
    def __init__(self, parts):
        super().__init__()
        self.fc = nn.ReLU(True, parts)
`, 1},
		{"a number in the place of a list", `
    def __init__(self, sizes):
        super().__init__()
        self.fc = nn.Linear(sizes[0][1], 4)
`, 0},
		{"a text that chooses", `
    def __init__(self, kind):
        super().__init__()
        if kind != "wide":
            self.fc = nn.Linear(4, 4, biass=True)
`, 0},
		{"a default that others replace", `
    def __init__(self, n, parts=[]):
        super().__init__()
        self.fc = nn.Linear(sum(p for p in parts) // len(parts), n)
`, 0},
		{"a keyword of any name", `
    def __init__(self, n, **named):
        super().__init__()
        self.fc = nn.Linear(n, named.pop("width"))
`, 0},
		{"an argument by position", `
    def __init__(self, n, *sizes):
        super().__init__()
        self.fc = nn.Linear(n, sizes[0])
`, 0},
		{"a keyword that a layer has not, beside those of any name", `
    def __init__(self, n, *sizes, **named):
        super().__init__()
        self.fc = nn.Linear(n, n, biass=True)
`, 1},
		{"what a derived class has", `
    part = NotImplemented

    def __init__(self, n):
        super().__init__()
        self.fc = self.part.made(n)
`, 0},
		{"what a derived class makes", `
    part = NotImplemented

    def __init__(self, n):
        super().__init__()
        self.fc = self.part(n)
`, 0},
		{"a callable", `
    def __init__(self, make, n):
        super().__init__()
        self.fc = make(n)(3)
`, 0},
		{"an attribute of an argument", `
    def __init__(self, config):
        super().__init__()
        self.fc = nn.Linear(config.width_of_the_net, 4)
`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, d := discovered(t, map[string]string{"net.py": header + "\nclass Net(nn.Module):" + c.text + `
    def forward(self, x):
        return self.fc(x)
`})
			if n := shownIn(d); n != c.errors {
				t.Errorf("%d findings that count, not %d: %s %q", n, c.errors, text, d.WhyNot)
			}
		})
	}
}

// Numbers of a constructor that its own check refuses are open in the last run, where the call is reached for the first time: the inputs
// that this is given are guesses that no earlier run made.
func TestInputsThatTheOpenRunGuessesDoNotAccuse(t *testing.T) {
	base := `import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        size = width // num_heads
        if size % 2 != 0:
            raise ValueError(f"the size of a head is odd: {size}")
        self.weight = nn.Parameter(torch.ones(width, 3 * width))

    def forward(self, x):
        b, n, c = x.shape
        return (x @ self.weight).view(b, n, 3 * c)
`
	net := `from base import Base


class Attention(Base):
    def __init__(self, model_dims, num_heads):
        super().__init__(model_dims // 1, num_heads)
`
	d, err := Discover(t.Context(), &check.Session{FS: reads.NewMemory(map[string]string{"base.py": base, "net.py": net})}, "net.py", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Entries {
		if s := e.State(); s != check.Unsettled {
			t.Errorf("%s is %v, and no input is known with which it runs", e.Name, s)
		}
	}
	if len(d.Entries) != 1 {
		t.Errorf("%d entries", len(d.Entries))
	}
}
