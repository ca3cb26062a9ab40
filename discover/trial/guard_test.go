package trial

import "testing"

// linear is a model with these bodies.
func linear(init, forward string) string {
	return header + "\nclass Net(nn.Module):\n" + init + "\n    def forward(self, x):\n" + forward
}

var conditionPrograms = []program{
	{"an element of a table of the class", linear(`    settings = {
        18: (2, 3), 34: (3, 5)}

    def __init__(self, depth):
        super().__init__()
        if depth not in self.settings:
            raise KeyError(f"invalid depth {depth}")
        self.fc = nn.Linear(*self.settings[depth])
`, "        return self.fc(x)\n"), "Net(depth=18) | x:f32[B,2] | trial | f32[B,3]"},
	{"an element of a list in an assertion", linear(`    def __init__(self, depth):
        super().__init__()
        assert depth in [5, 6]
        self.fc = nn.Linear(4, depth)
`, "        return self.fc(x)\n"), "Net(depth=5) | x:f32[B,4] | trial | f32[B,5]"},
	{"a list of a length", linear(`    def __init__(self, num_blocks):
        super().__init__()
        if len(num_blocks) != 3:
            raise ValueError(f"num_blocks must be three. Got {len(num_blocks)}.")
        self.fc = nn.Linear(4, sum(num_blocks))
`, "        return self.fc(x)\n"), "Net(num_blocks=[2, 2, 2]) | x:f32[B,4] | trial | f32[B,6]"},
	{"a larger number", linear(`    def __init__(self, alpha, beta):
        super().__init__()
        self.alpha, self.beta = torch.tensor(alpha), torch.tensor(beta)
        self.check()

    def check(self):
        if (self.alpha <= self.beta).any():
            raise ValueError("alpha must be greater than beta.")
`, "        return x * (self.alpha - self.beta)\n"), "Net(alpha=0.75, beta=0.5) | x:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"a multiple", linear(`    def __init__(self, dim, heads):
        super().__init__()
        assert dim % (heads) == 0 and dim % 3 == 0, "whole heads"
        self.fc = nn.Linear(dim, 5)
`, "        return self.fc(x)\n"), "Net(dim=192, heads=8) | x:f32[B,192] | trial | f32[B,5]"},
	{"a value of a type", linear(`    def __init__(self, width, out):
        super().__init__()
        if not isinstance(width, (tuple, list)):
            raise TypeError("no list")
        self.fc = nn.Linear(width[1], 5)
`, "        return self.fc(x)\n"), "Net(width=(64, 64), out=8) | x:f32[B,64] | trial | f32[B,5]"},
	{"one of two words, for each element of a list", linear(`    def __init__(self, width, task_types):
        super().__init__()
        for task_type in task_types:
            if task_type == "regression":
                continue
            if task_type != "classification":
                raise ValueError("task_type must be classification or regression")
        self.fc = nn.Linear(width, len(task_types))
`, "        return self.fc(x)\n"), "Net(width=64, task_types=['classification', 'classification']) | x:f32[B,64] | trial | f32[B,2]"},
	{"what a call refuses to do without, in quotes", linear(`    def __init__(self, width, head=None):
        super().__init__()
        self.fc, self.head = nn.Linear(width, 5), head
`, "        if self.head is None:\n            raise RuntimeError('made without a head: Net(..., `head=...`)')\n        return self.head(self.fc(x))\n"),
		"Net(width=64, head=torch.nn.Identity()) | x:f32[B,64] | trial | f32[B,5]"},
	{"the rank that a message tells by the names of the sizes", linear(`    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 5)
`, "        assert x.ndim == 5, 'x should be of shape (b, t, c, h, w)'\n        return self.fc(x)\n"), "Net() | x:f32[B,C,D,H,W] | trial | f32[B,C,D,H,5]"},
	{"nothing where no value helps", linear(`    def __init__(self, width):
        super().__init__()
        if width in self.__dict__ or width == width:
            raise ValueError("never")
`, "        return x\n"), "Net: no input was found with which it runs; line 9: raises ValueError: never"},
}

// TestDiscoverAsksConditions tells what conditions at which a program refuses its arguments are taken to ask for.
func TestDiscoverAsksConditions(t *testing.T) {
	for _, c := range conditionPrograms {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			hasNoFinding(t, d)
		})
	}
}

// columns has what a list is of.
const columns = `from collections import namedtuple


class Column(namedtuple("Column", ["name", "size", "width"])):
    def __new__(cls, name, size, width=4):
        return super().__new__(cls, name, size, width)


class Dense:
    def __init__(self, name):
        self.name = name


def widths(columns):
    return sum([c.width for c in columns if c.name])
`

var elementPrograms = []packageProgram{
	{
		"objects of a class of the package",
		"Net(deep_columns=[zoo.columns.Column(name='a', size=64)], wide_columns=[zoo.columns.Column(name='a', size=64)]) | x:f32[B,8] | trial | f32[B,3]",
		map[string]string{
			"zoo/__init__.py": "", "zoo/columns.py": columns, "zoo/nets/more/net.py": header + `
from ...columns import widths

class Net(nn.Module):
    def __init__(self, deep_columns, wide_columns):
        super().__init__()
        self.fc = nn.Linear(widths(deep_columns + wide_columns), 3)

    def forward(self, x):
        return self.fc(x)
`,
		},
	},
	{"modules that are called", "Net(backbone=torch.nn.Identity(), heads=[torch.nn.Identity(), torch.nn.Identity()]) | x:f32[B,C,H,W] | trial | [f32[B,C,H,W], f32[B,C,H,W]]", map[string]string{"net.py": header + `
class Net(nn.Module):
    def __init__(self, backbone, heads):
        super().__init__()
        self.backbone, self.n, self.heads = backbone, len(heads), heads

    def forward(self, x):
        out = []
        for i, head in enumerate(self.heads):
            out.append(head(self.backbone(x)))
        return out
`}},
	{"a list in a dictionary, for what is added to one", `Net(config={"width": 64, "hidden_size": [64, 64]}) | x:f32[B,64] | trial | f32[B,64]`, map[string]string{"net.py": header + `
class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.width = config["width"]
        self.hidden_size = config["hidden_size"]
        sizes = [2 * self.width] + self.hidden_size
        self.fc = nn.Linear(sizes[1], self.width)

    def forward(self, x):
        return self.fc(x)
`}},
	{"keywords with the prefix of a part", "Net(dim=64, enc_depth=2, enc_heads=8, dec_depth=2, dec_heads=8) | x:f32[B,64] | trial | f32[B,8]\n" +
		"Part(dim=64, depth=2, heads=8) | x:f32[B,64] | trial | f32[B,8]", map[string]string{"net.py": header + `
def by_prefix(prefix, kwargs):
    return {k[len(prefix):]: v for k, v in kwargs.items() if k.startswith(prefix)}

class Part(nn.Module):
    def __init__(self, *, dim, depth, heads):
        super().__init__()
        self.fc = nn.Linear(dim, heads)

    def forward(self, x):
        return self.fc(x)

class Net(nn.Module):
    def __init__(self, *, dim, **kwargs):
        super().__init__()
        self.enc, self.dec = Part(dim=dim, **by_prefix('enc_', kwargs)), Part(dim=dim, **by_prefix('dec_', kwargs))

    def forward(self, x):
        return self.enc(x) + self.dec(x)
`}},
	{"a number for the only argument of another one", "Net(num_bins=66, width=64) | x:f32[B,64] | trial | f32[B,66]", map[string]string{"net.py": header + `
class Net(nn.Module):
    def __init__(self, num_bins, width):
        super().__init__()
        self.fc, self.places = nn.Linear(width, num_bins), torch.arange(66.0)

    def forward(self, x):
        return self.fc(x) * self.places
`}},
	{"a dictionary for keywords", "Net(width=64, mlp_params={}) | x:f32[B,64] | trial | f32[B,7]", map[string]string{"net.py": header + `
def mlp(width, out=7):
    return nn.Linear(width, out)

class Net(nn.Module):
    def __init__(self, width, mlp_params):
        super().__init__()
        self.fc = mlp(width, **mlp_params)

    def forward(self, x):
        return self.fc(x)
`}},
	{"the class of settings that a class names", "Net(config=Wide()) | x:f32[B,6] | trial | f32[B,3]", map[string]string{"net.py": header + `
class Settings:
    pass

class Wide(Settings):
    def __init__(self, width=6):
        self.width = width

class Base(nn.Module):
    config_class = Settings

    def __init__(self, config: Settings):
        super().__init__()
        assert type(config) is self.config_class
        self.fc = nn.Linear(config.width, 3)

    def forward(self, x):
        return self.fc(x)

class Net(Base):
    config_class = Wide
`}},
	{"the class that an annotation of a class names", "Net(config=Wide()) | x:f32[B,6] | trial | f32[B,3]", map[string]string{"net.py": header + `
class Settings:
    pass

class Wide(Settings):
    def __init__(self, width=6):
        self.width = width

class Base(nn.Module):
    def __init__(self, config: Settings):
        super().__init__()
        self.fc = nn.Linear(config.width, 3)

    def forward(self, x):
        return self.fc(x)

class Net(Base):
    config: Wide
`}},
}

// TestDiscoverElements tells what elements lists and parts of objects are given.
func TestDiscoverElements(t *testing.T) {
	for _, c := range elementPrograms {
		t.Run(c.name, func(t *testing.T) {
			file := "net.py"
			if c.files[file] == "" {
				file = "zoo/nets/more/net.py"
			}
			got, d := discoveredIn(t, c.files, file)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			hasNoFinding(t, d)
		})
	}
}
