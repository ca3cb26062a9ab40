package text

import (
	"slices"
	"testing"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

func read(t *testing.T, text string) *File {
	t.Helper()
	src := source.NewFile("net.py", text)
	tree, errs := parser.Parse(src)
	return Read(src, tree, len(errs) > 0, NewIndex().Of(reads.NewMemory(map[string]string{"net.py": text}), src, tree))
}

// Functions that make a model through another one, and say of it only that it is a module.
func TestMakers(t *testing.T) {
	f := read(t, `import torch.nn as nn
class Net(nn.Module):
    def __init__(self, channels):
        super().__init__()
    def forward(self, x):
        return x
def get_net(depth, **kwargs) -> nn.Module:
    net = Net(channels=[depth], **kwargs)
    if kwargs.get("pretrained"):
        load(net)
    return net
def net18(**kwargs) -> nn.Module:
    return get_net(18, **kwargs)
def net34(**kwargs):
    return get_net(34)
def loss(**kwargs) -> nn.Module:
    return nn.MSELoss()
def again(n=1):
    return again(n)
`)
	if len(f.Models) != 1 || !slices.Equal(f.Models[0].Makers, []string{"net18", "net34"}) {
		t.Errorf("models %+v", f.Models[0])
	}
}

// A module of a package is no program, wherever it imports from the package.
func TestMain(t *testing.T) {
	for _, c := range []struct {
		inside string
		want   bool
	}{{"", true}, {"from .store import count\n    ", false}, {"from store import count\n    ", true}} {
		if got := read(t, "import torch\ndef _test():\n    "+c.inside+"print(torch.ones(3))\nif __name__ == '__main__':\n    _test()\n").Main; got != c.want {
			t.Errorf("with %q: %v", c.inside, got)
		}
	}
}

// A file that computes with what it made is a program, also where it prints nothing; definitions and constants make none.
func TestFilesThatCompute(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"net = torch.nn.Linear(3, 2)\ny = net(torch.rand(4, 3))\n", true},
		{"a, b = torch.rand(2), torch.rand(3)\nc = torch.add(a, b)\n", true},
		{"class Net(torch.nn.Module):\n    pass\nnet = Net().eval()\n", true},
		{"data = torch.utils.data.TensorDataset(torch.rand(4, 3))\nfor x, in data:\n    y = x.flatten().view(-1)\n    z = torch.save(data)\n",
			true},
		{"def f(x):\n    return x\ny = f(torch.rand(2))\n", true},
		{"def f(x):\n    return x\ny = f(3)\n", false},
		{"table = torch.arange(10)\nscale = 2.0\n", false},
		{"T = list\ndef f(x):\n    net = torch.nn.Linear(3, 2)\n    return net(x)\n", false},
		{"import logging\nlog = logging.getLogger(__name__)\nlevel = log.getEffectiveLevel()\n", false},
	} {
		if got := read(t, "import torch\n"+c.text).Main; got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}

func TestLiteralArguments(t *testing.T) {
	for text, want := range map[string]string{
		"1, 'a(b', [2, 3], c=None)": "1, 'a(b', [2, 3], c=None", "x, 1)": "", "1, *a)": "", "n=x)": "", ")": "",
		"(1, 2), {'k': True},\n  )": "(1, 2), {'k': True}",
		"1 # one\n)":                "", "1 if a else 2)": "", "f(1))": "", "a == 1)": "", "'unclosed)": "",
	} {
		if got := LiteralArguments(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestConstructByComparison(t *testing.T) {
	f := read(t, `from .constants import BINARY_MODE, MULTICLASS_MODE, K
class Loss(nn.Module):
    def __init__(self, mode, kind, size):
        assert mode in {BINARY_MODE, MULTICLASS_MODE}
        assert kind in ("sum", "mean") and size == K
    def forward(self, x):
        return x
`)
	for param, want := range map[string]string{"mode": "BINARY_MODE", "kind": `"sum"`} {
		if got := f.Construct("Loss", Param{Name: param}); got != want {
			t.Errorf("%s: %q, want %q", param, got, want)
		}
	}
}

func TestShapesInTheText(t *testing.T) {
	f := read(t, `
import torch.nn as nn
from einops import rearrange


class Attention(nn.Module):
    def forward(self, q, k, v, x, img, mask):
        """Attends.

        Args:
            v (Tensor): values of shape (N, T, C)
            mask (Tensor, optional): what is seen
        """
        n, length, heads, _ = q.shape
        if k.dim() != 3 or q.size(0) == 0:
            raise ValueError(k)
        x = x.flatten(1)
        b, t = x.shape
        return rearrange(img, "b c (h p) w -> b (h p w) c")
`)
	for param, want := range map[string]Form{
		"q": "f32[B,L,H,K]", "k": "f32[B,T,C]", "v": "f32[B,T,C]", "x": "", "img": "f32[B,C,K,W]", "mask": "",
	} {
		if got := f.Shape("Attention", param); got != want {
			t.Errorf("%s: %q, want %q", param, got, want)
		}
	}
}

func TestExamples(t *testing.T) {
	f := read(t, `
import torch.nn as nn


class Net(nn.Module):
    """A net.

    Example:
        >>> other = Net(width)
        >>> x = torch.rand(10, 120, 60)
        >>> net = Net(60, bias=False, act="relu")
        >>> net(x, torch.randint(0, 5, (10, 3))).shape
        torch.Size([10, 1])
    """

    def forward(self, x, ids):
        return x
`)
	got := f.Example("Net")
	if got.Entry != `Net(60, bias=False, act="relu")` || !slices.Equal(got.Inputs, []string{"f32[B,120,60]", "i64[B,3]"}) {
		t.Errorf("got %+v", got)
	}
}

func TestConstructByConstants(t *testing.T) {
	f := read(t, `import torch.nn as nn
HEADS, HEAD = 3, 4
DIM = 2 * HEADS * HEAD
SIZES = [DIM, 8]
twice = 1
twice = 2

class Net(nn.Module):
    def __init__(self, dim, heads: int, twice, depth, sizes):
        super().__init__()
    def forward(self, x):
        return x

class Made(nn.Module):
    def __init__(self, width, sizes, kind):
        super().__init__()
    def forward(self, x):
        return x

class Other(nn.Module):
    def __init__(self, width):
        super().__init__()
    def forward(self, x):
        return x

def main(width=16, loss=None):
    return Made(width + DIM, SIZES, "a"), Other(loss)
`)
	for want, p := range map[[2]string]Param{
		{"Net", "24"}: {Name: "dim"}, {"Net", "3"}: {Name: "heads", Annotation: "int"}, {"Net", ""}: {Name: "twice"},
		{"Net", "2"}:   {Name: "depth"},
		{"Made", "40"}: {Name: "width"}, {"Made", "[24, 8]"}: {Name: "sizes"}, {"Other", "64"}: {Name: "width"},
	} {
		if got := f.Construct(want[0], p); got != want[1] {
			t.Errorf("%s of %s: %q, want %q", p.Name, want[0], got, want[1])
		}
	}
	if calls, others := f.Calls("Made"); len(calls) != 1 || calls[0] != `Made(40, [24, 8], "a")` || others {
		t.Errorf("%q, %v", calls, others)
	}
}

// An annotation that lists types is no shape, though one of them is a text.
func TestTypesInTextsAreNoShapes(t *testing.T) {
	for annotation, want := range map[string]bool{
		`Float[Tensor, "batch"]`: true, `jaxtyping.Int[torch.Tensor, "b t"]`: true, `Annotated[Tensor, "B T"]`: true, `"f32[B,3]"`: true,
		`Union[str, "Net"]`: false, `typing.Union[str, "Net"]`: false, `Dict[str, "Net"]`: false, `dict[str, "Net"]`: false,
		`Literal[a, "b"]`: false, `tuple[int, "Net"]`: false, `collections.abc.Mapping[str, "Net"]`: false,
	} {
		f := read(t, "import torch\n\ndef make(x: "+annotation+"):\n    return x\n")
		if got := len(f.Functions) > 0; got != want {
			t.Errorf("%s: %v", annotation, got)
		}
	}
}
