package trial

import (
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// shownIn counts the findings of a discovery that are more than infos.
func shownIn(d *check.Discovery) int {
	n := 0
	for _, x := range ranOf(d) {
		for _, f := range x.Result.Diagnostics {
			if f.Severity > diag.Info {
				n++
			}
		}
	}
	return n
}

// Sizes that are the program's own are findings in all forms that its first layer takes; a run without the batch's axis
// that fits by chance does not hide them.
func TestSizesOfTheProgramAccuseIt(t *testing.T) {
	for _, c := range []struct {
		name, text string
		errors     int
		whyNot     string
	}{
		{"channels of two convolutions", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 32, 3)
        self.b = nn.Conv2d(64, 8, 3)

    def forward(self, x):
        return self.b(self.a(x).relu()).mean((2, 3))
`, 1, ""},
		{"a shortcut of other channels", header + `
class Block(nn.Module):
    def __init__(self, c, out):
        super().__init__()
        self.c = nn.Conv1d(c, out, 3, padding=1)

    def forward(self, x):
        return self.c(x) + x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block(8, 8)
        self.b = Block(8, 16)

    def forward(self, x):
        return self.b(self.a(x))
`, 1, ""},
		{"a norm after a convolution, which takes images alone", header + `
class Net(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.a = nn.Conv2d(c, 2 * c, 1)
        self.norm = nn.BatchNorm2d(c)

    def forward(self, x):
        return self.norm(self.a(x))
`, 1, ""},
		{"channels that are no multiple", header + `
class Net(nn.Module):
    def __init__(self, c=64, by=3):
        super().__init__()
        self.a = nn.Conv2d(c, 4 * c, 3)
        self.up = nn.PixelShuffle(by)

    def forward(self, x):
        return self.up(self.a(x))
`, 1, ""},
		{"defaults with which a layer cannot be made", header + `
class Net(nn.Module):
    def __init__(self, c=48):
        super().__init__()
        self.norm = nn.GroupNorm(32, c)

    def forward(self, x):
        return self.norm(x)
`, 1, ""},
		{"an argument with which a layer cannot be made", header + `
class Net(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm = nn.GroupNorm(48, c)

    def forward(self, x):
        return self.norm(x)
`, 0, "Net: no input was found with which it runs; with x:f32[B,C,H,W], line 8: GroupNorm"},
		{"a batch that is as large as the rows", header + `
class Net(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(c, c)

    def forward(self, x):
        return x * self.fc(self.pool(x).flatten(1)).sigmoid()
`, 1, ""},
		{"rows that are as many as the columns, of a matrix", header + `
class Net(nn.Module):
    def forward(self, x):
        return nn.functional.log_softmax(x, 1)[torch.arange(len(x)), torch.arange(len(x))] + x.diagonal() + x @ x
`, 0, ""},
		{"an image of any channels", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 32, 3)
        self.b = nn.Conv2d(32, 8, 3)

    def forward(self, x):
        return self.b(self.a(x)) 
`, 0, ""},
		{"volumes alone", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv3d(1, 8, 3)
        self.b = nn.Linear(8, 2)

    def forward(self, x):
        return self.b(self.a(x).mean((2, 3, 4)))
`, 0, ""},
		{"without a batch it fits by chance", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 16, 3, padding=1)
        self.out = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        a = self.down(x)
        return self.out(torch.cat([a, a], 1))
`, 0, "Net: with x:f32[B,T,C] it runs for one size of the first axis alone; with x:f32[B,C,H,W], line 13: conv2d: input has 32 channels"},
		{"an image without a batch", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3)
        self.b = nn.Linear(8, 4)

    def forward(self, x):
        return self.b(self.a(x.unsqueeze(0)).mean((2, 3)))
`, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, d := discovered(t, map[string]string{"net.py": c.text})
			if n := shownIn(d); n != c.errors || !strings.HasPrefix(d.WhyNot, c.whyNot) || (c.whyNot == "") != (d.WhyNot == "") {
				t.Errorf("%d findings that count, not %d, and %q, not %q: %s", n, c.errors, d.WhyNot, c.whyNot, text)
			}
		})
	}
}

// Settings that the class of an argument takes are those of its own file, whatever names the file of the entry has.
func TestSettingsOfOtherFiles(t *testing.T) {
	text, _ := discovered(t, map[string]string{
		"conf.py": "class NetConfig:\n    def __init__(self, width=6):\n        self.width = width\n",
		"part.py": header + `
from conf import NetConfig

class Part(nn.Module):
    def __init__(self, config: NetConfig):
        super().__init__()
        self.fc = nn.Linear(4, config.width)

    def forward(self, x):
        return self.fc(x)
`,
		"net.py": header + `
from part import Part

class Net(nn.Module):
    def __init__(self, part: Part):
        super().__init__()
        self.part = part

    def forward(self, x):
        return self.part(x)
`})
	if want := "Net(part=Part(config=conf.NetConfig())) | x:f32[B,C,H,W] | trial | f32[B,C,H,6]"; text != want {
		t.Errorf("%s, not %s", text, want)
	}
}

// What other files make with arguments of their own has no finding for its defaults.
func TestDefaultsThatOthersReplace(t *testing.T) {
	net := header + `
class Net(nn.Module):
    def __init__(self, a=4, b=5):
        super().__init__()
        self.a = nn.Linear(3, a)
        self.b = nn.Linear(b, 7)

    def forward(self, x):
        return self.b(self.a(x))
`
	for _, c := range []struct {
		other  string
		errors int
	}{
		{"from net import Net\n\nmodel = Net(\n    a=5,\n)\n", 0},
		{"from net import Net\n\nmodel = Net()\n", 1},
		{"class Net(object):\n    pass\n", 1},
	} {
		_, d := discovered(t, map[string]string{"net.py": net, "train.py": c.other})
		if n := shownIn(d); n != c.errors {
			t.Errorf("beside %q: %d findings that count, not %d", c.other, n, c.errors)
		}
		// A package is made by what stands around its parts.
		s := &check.Session{FS: reads.NewMemory(map[string]string{"p/parts/net.py": net, "p/parts/__init__.py": "", "p/__init__.py": c.other})}
		d, err := Discover(t.Context(), s, "p/parts/net.py", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := shownIn(d); n != c.errors {
			t.Errorf("in a package with %q: %d findings that count, not %d", c.other, n, c.errors)
		}
	}
}
