package trial

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// A program is the text of net.py with what is discovered in it.
type program struct{ name, text, want string }

// A packageProgram is one of several files.
type packageProgram struct {
	name, want string
	files      map[string]string
}

// discovered are the entries of net.py as they are discovered, each on a line: what is run,
// its inputs, how it was found and the result.
func discovered(t *testing.T, files map[string]string) (string, *check.Discovery) {
	t.Helper()
	return discoveredIn(t, files, "net.py")
}

// discoveredIn is discovered for another file.
func discoveredIn(t *testing.T, files map[string]string, file string) (string, *check.Discovery) {
	t.Helper()
	return discoveredWith(t, files, file, nil)
}

// discoveredWith is discoveredIn that remembers what entries ran with.
func discoveredWith(t *testing.T, files map[string]string, file string, known *Winners) (string, *check.Discovery) {
	t.Helper()
	s := &check.Session{FS: reads.NewMemory(files)}
	d, err := Discover(t.Context(), s, file, nil, known)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, x := range ranOf(d) {
		if x.Err != nil {
			lines = append(lines, x.Name+": "+x.Err.Error())
			continue
		}
		r := x.Result
		lines = append(lines, strings.Join([]string{r.Target.Run.Entry, strings.Join(r.Target.Run.Args, " "), r.Target.How, r.OutputType}, " | "))
	}
	if d.WhyNot != "" {
		lines = append(lines, d.WhyNot)
	}
	return strings.Join(lines, "\n"), d
}

// ranOf are the entries of a file but for those of which no run counts.
func ranOf(d *check.Discovery) []check.Outcome {
	return slices.DeleteFunc(slices.Clone(d.Entries), func(x check.Outcome) bool {
		s := x.State()
		return x.Err == nil && (s == check.Unsettled || s == check.NotChecked)
	})
}

// failedOf says why the others do not.
func failedOf(d *check.Discovery) []string {
	var out []string
	for _, x := range d.Entries {
		if why := x.WhyNot(); why != "" {
			out = append(out, x.Name+": "+why)
		}
	}
	return out
}

const header = `import torch
from torch import nn
import torch.nn.functional as F
`

// Models whose defaults do not run: of groups that are not given, and a sum of two widths.
const (
	negative = `
class Net(nn.Module):
    def __init__(self, dim=96, groups=[-1, -1]):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(dim // g, dim // g, 1) for g in groups])
        self.groups = groups

    def forward(self, x):
        for g, conv in zip(self.groups, self.convs):
            b, c, h, w = x.shape
            x = conv(x.reshape(b * g, c // g, h, w)).reshape(b, c, h, w)
        return x
`
	residual = `
class Net(nn.Module):
    def __init__(self, width=8, out=4):
        super().__init__()
        self.a, self.b = nn.Linear(width, 8), nn.Linear(width, out)

    def forward(self, x):
        return self.a(x) + self.b(x)
`
)

var plainPrograms = []program{
	{"nothing", "def f(x):\n    return x\n", "no model, nothing annotated"},
	{"a syntax error, and no framework", "def f(x):\n    return (x\n", "net.py:2:12: '(' was never closed"},
	{"a convolution tells the rank, the contract the channels", header + `
class Net(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.conv = nn.Conv2d(3, n, 3, padding=1)

    def forward(self, x):
        return self.conv(x)
`, "Net() | x:f32[B,3,H,W] | trial | f32[B,10,H,W]"},
	{"a file with a syntax error", header + `
class Net(nn.Module):
    def forward(self, x):
        return x +
`, " |  | annotation | "},
	{"a program whose calls stand in a loop", header + `
for step in range(3):
    with torch.no_grad():
        print(torch.ones(2, 3) @ torch.ones(3, 4))
    x = torch.ones(2)
`, " |  | script | "},
	{"the sizes that are unpacked tell the rank", header + `
class Net(nn.Module):
    def forward(self, x):
        b, c, t, h, w = x.size()
        return x.view(b, c, t * h * w).mean(-1)
`, "Net() | x:f32[B,C,T,H,W] | trial | f32[B,C]"},
	{"a name that says activation, of what layers take as a size", header + `
class Actor(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act))
    def forward(self, s):
        return self.net(s)
class Critic(nn.Module):
    def __init__(self, actor: Actor, act=nn.ReLU()):
        super().__init__()
        self.actor, self.act = actor, act
    def forward(self, s):
        return self.act(self.actor(s))
`, "Critic(actor=Actor(obs=4, act=64)) | s:f32[B,4] | trial | f32[B,64]\nActor(obs=4, act=64) | s:f32[B,4] | trial | f32[B,64]"},
	{"a graph by its adjacency matrix", header + `
class GCN(nn.Module):
    def __init__(self, nfeat, nclass):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(nfeat, nclass))
    def forward(self, x, adj):
        return torch.spmm(adj, x @ self.weight)
`, "GCN(nfeat=8, nclass=10) | x:f32[B,8] adj:f32[N,N] | trial | f32[N,10]"},
	{"adjacency matrices, one for each graph", header + `
class GCN(nn.Module):
    def __init__(self, nfeat):
        super().__init__()
        self.lin = nn.Linear(nfeat, 10)
    def forward(self, x, adj):
        b, n, c = x.shape
        return torch.bmm(adj, self.lin(x))
`, "GCN(nfeat=64) | x:f32[B,N,64] adj:f32[B,T,64] | trial | f32[B,T,10]"},
	{"a state that is annotated as a tensor", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(24, 6)
    def forward(self, past_target: torch.Tensor, hidden=None):
        return self.lin(past_target - past_target.mean())
`, "Net() | past_target:f32[B,24] | trial | f32[B,6]"},
	{"a graph by its edges", header + `
class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(16, 4)
    def forward(self, x, edges):
        src, dst = edges
        x = self.lin(x)
        return torch.zeros_like(x).index_add_(0, dst, x[src])
`, "Conv() | x:f32[B,16] edges:i64[2,E] | trial | f32[B,4]"},
	{"an instance of the class that an annotation names", header + `
class Layer(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.size, self.fc = d_model, nn.Linear(d_model, d_model)
    def forward(self, x):
        return self.fc(x)
class Stack(nn.Module):
    def __init__(self, layer: Layer, n_layers: int):
        super().__init__()
        self.layers = nn.ModuleList([layer for _ in range(n_layers)])
        self.out = nn.Linear(layer.size, 3)
    def forward(self, x):
        b, t, c = x.shape
        for layer in self.layers:
            x = layer(x)
        return self.out(x)
`, "Stack(layer=Layer(d_model=64), n_layers=2) | x:f32[B,T,64] | trial | f32[B,T,3]\nLayer(d_model=64) | x:f32[B,64] | trial | f32[B,64]"},
	{"an instance of the class that has the attributes", header + `
class Other(nn.Module):
    def forward(self, x):
        return x
class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.width, self.fc = dim, nn.Linear(dim, dim)
    def forward(self, x):
        return self.fc(x)
class Wrapper(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net, self.head = net, nn.Linear(net.width, 2)
    def forward(self, x):
        b, t, c = x.shape
        return self.head(self.net(x))
`, "Other() | x:f32[B,C] | trial | f32[B,C]\nEncoder(dim=64) | x:f32[B,64] | trial | f32[B,64]\n" +
		"Wrapper(net=Encoder(dim=64)) | x:f32[B,T,64] | trial | f32[B,T,2]"},
	{"an object with the settings that are read", header + `
class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.fc = nn.Linear(args.hidden_dim, args.num_classes)
    def forward(self, x):
        return self.fc(x)
`, "Net(args=types.SimpleNamespace(hidden_dim=64, num_classes=10)) | x:f32[B,64] | trial | f32[B,10]"},
	{"a list, as long as its elements are asked for", header + `
class Net(nn.Module):
    def __init__(self, widths_of, gate):
        super().__init__()
        self.a, self.b = nn.Linear(widths_of[0], widths_of[1]), nn.Linear(widths_of[1], widths_of[2])
        self.gate = gate
    def forward(self, x):
        return self.gate(self.b(self.a(x)))
`, "Net(widths_of=[8, 8, 8], gate=torch.nn.Identity()) | x:f32[B,8] | trial | f32[B,8]"},
	{"an example in the docstring", header + `
class Net(nn.Module):
    """A net.

    Example
    -------
    >>> x = torch.rand(10, 120, 60)
    >>> net = Net([60, 30])
    >>> net(x).shape
    torch.Size([10, 120, 30])
    """

    def __init__(self, sizes):
        super().__init__()
        self.layer = nn.Linear(sizes[0], sizes[1])

    def forward(self, x):
        return self.layer(x)
`, "Net([60, 30]) | x:f32[B,120,60] | trial | f32[B,120,30]"},
	{"names that the example in a docstring imports", header + `
class Wrapper(nn.Module):
    """A loss of pairs.

    Example
        >>> from torch.nn.functional import mse_loss
        >>> target = torch.randn(10, 3, 16)
        >>> loss = Wrapper(mse_loss, kind="pairs")
        >>> loss(torch.randn(10, 3, 16), target)
    """

    def __init__(self, loss, kind="points"):
        super().__init__()
        self.loss, self.kind = loss, kind

    def forward(self, x, target):
        out = self.loss(x, target, reduction="none")
        assert out.shape[-1] == 16
        return out.mean(-1)
`, "Wrapper(torch.nn.functional.mse_loss, kind=\"pairs\") | x:f32[B,3,16] target:f32[B,3,16] | trial | f32[B,3]"},
	{"a matrix by the docstring of a constructor", header + `
class Masked(nn.Module):
    def __init__(self, width, pairs=None):
        """
        width : int
            Number of features
        pairs : torch matrix
            Matrix of size (n, width)
        """
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.pairs = pairs.to(pairs.device)

    def forward(self, x):
        return self.layer(x) @ self.pairs.T
`, "Masked(width=64, pairs=torch.ones(64, 64)) | x:f32[B,64] | trial | f32[B,64]"},
	{"shapes in the docstring of a constructor", header + `
class Loss(nn.Module):
    def __init__(self):
        """A loss.

        Shape
             - **pred** - torch.Tensor of shape (N, C, H, W)
             - **truth** - torch.Tensor of shape (N, H, W)
        """
        super().__init__()

    def forward(self, pred, truth):
        return pred.gather(1, truth.unsqueeze(1).long()).mean()
`, "Loss() | pred:f32[B,C,H,W] truth:f32[B,H,W] | trial | f32[]"},
	{"the formula of an input in a docstring", header + `
class Conv(nn.Module):
    r"""A layer on graphs.

    Shapes:
        - **input:**
          node features :math:` + "`" + `(|\mathcal{V}|, F_{in})` + "`" + ` or
          :math:` + "`" + `((|\mathcal{V_s}|, F_{s}), (|\mathcal{V_t}|, F_{t}))` + "`" + `
          if bipartite,
          edge indices :math:` + "`" + `(2, |\mathcal{E}|)` + "`" + `
        - **output:** node features :math:` + "`" + `(|\mathcal{V}|, F_{out})` + "`" + `
    """

    def __init__(self, in_channels):
        super().__init__()
        self.layer = nn.Linear(in_channels, 8)

    def forward(self, x, edge_index):
        return self.layer(x)[edge_index[0]].sum(-1, keepdim=True)
`, "Conv(in_channels=64) | x:f32[B,64] edge_index:i64[2,E] | trial | f32[E,1]"},
	{"a number in the place of None that a function gets under another name", header + `
from typing import Optional

def smoothed(logits, target, epsilon):
    return (epsilon / logits.size(1) * logits - logits.gather(1, target.unsqueeze(1))).mean()

class Smooth(nn.Module):
    def __init__(self, smooth_factor: Optional[float] = None):
        super().__init__()
        self.smooth_factor = smooth_factor

    def forward(self, scores: torch.Tensor, labels: torch.Tensor):
        return smoothed(scores, labels, epsilon=self.smooth_factor)
`, "Smooth(smooth_factor=2) | scores:f32[B,C] labels:i64[B] | trial | f32[]"},
	{"the rank that an input is asked for", header + `
class Distance(nn.Module):
    def forward(self, est_targets, targets):
        if targets.size() != est_targets.size() or targets.ndim != 3:
            raise TypeError(targets.shape)
        return (est_targets.unsqueeze(1) - targets.unsqueeze(2)).mean(-1)
`, "Distance() | est_targets:f32[B,T,C] targets:f32[B,T,C] | trial | f32[B,T,T]"},
	{"as the file makes it, where defaults stand for nothing that runs", header + negative + `
if __name__ == "__main__":
    model = Net(
        64,  # channels
        groups=[1, 2],
    )
    print(model(torch.zeros(2, 64, 8, 8)).shape)
`, "Net(64, groups=[1, 2]) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]\n |  | script | "},
	{"a dataclass with its own constructor, and one without", header + `import dataclasses
from typing import List, Tuple

@dataclasses.dataclass
class Maps:
    channels: Tuple[int, ...]
    strides: Tuple[int, ...]

    def __init__(self, channels: List[int], strides: List[int]):
        if len(channels) != len(strides):
            raise RuntimeError(len(channels))
        self.channels, self.strides = tuple(channels), tuple(strides)

@dataclasses.dataclass
class Sizes:
    width: int
    bias: bool
    depth: int = 1

class Head(nn.Module):
    def __init__(self, maps: Maps, sizes: Sizes):
        super().__init__()
        self.conv = nn.Conv2d(maps.channels[0], sizes.width, maps.strides[1], bias=sizes.bias)

    def forward(self, x):
        return self.conv(x)
`, "Head(maps=Maps(channels=[64, 64], strides=[1, 1]), sizes=Sizes(width=64, bias=True)) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]"},
	{"keywords that another class asks for, by way of a decorated constructor", header + `import functools

def captured(init):
    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        init(self, *args, **kwargs)
    return __init__

class Inner(nn.Module):
    @captured
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 1)

    def forward(self, x):
        return self.conv(x)

class Outer(nn.Module):
    def __init__(self, inner=None, **kwargs):
        super().__init__()
        self.inner = inner or Inner(**kwargs)

    def forward(self, x):
        return self.inner(x)
`, "Outer(in_channels=64, out_channels=64) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]\n" +
		"Inner(in_channels=64, out_channels=64) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]"},
	{"what is None by default, where the constructor does not take that", header + `
class Net(nn.Module):
    def __init__(self, net=None, *, dim=None):
        super().__init__()
        assert net is not None or dim is not None
        self.fc = nn.Linear(dim, 3)

    def forward(self, x):
        b, t, c = x.shape
        return self.fc(x)
`, "Net(net=torch.nn.Identity(), dim=64) | x:f32[B,T,64] | trial | f32[B,T,3]"},
	{"channels that the run asks for", header + `
class Net(nn.Module):
    def __init__(self, num_in_ch, num_out_ch):
        super().__init__()
        self.mean = torch.zeros(1, 3, 1, 1)
        self.conv = nn.Conv2d(num_in_ch, num_out_ch, 3, padding=1)

    def forward(self, x):
        return self.conv(x - self.mean) + self.mean
`, "Net(num_in_ch=3, num_out_ch=3) | x:f32[B,3,H,W] | trial | f32[B,3,H,W]"},
	{"what is called is no number", header + `
class Net(nn.Module):
    def __init__(self, features, layers, attention):
        super().__init__()
        self.features, self.layers = features, nn.ModuleList(layers)
        self.attention = attention

    def forward(self, x):
        b, t, c = x.shape
        for layer in self.layers:
            x = layer(x)
        out, weights = self.attention(x, x, need_weights=False)
        return self.features(x) + out
`, "Net(features=torch.nn.Identity(), layers=[torch.nn.Identity(), torch.nn.Identity()], attention=lambda x, *others, **named: (x, None)) | x:f32[B,T,C] | trial | f32[B,T,C]"},
	{"the axes that einsum names", header + `
class Attend(nn.Module):
    def forward(self, q, k, v):
        sim = torch.einsum("b h i d, b j d -> b h i j", q, k)
        return torch.einsum("bhij,bjd->bhid", sim.softmax(-1), v)
`, "Attend() | q:f32[B,H,I,D] k:f32[B,T,C] v:f32[B,T,C] | trial | f32[B,H,I,C]"},
	{"the rank that a fault names", header + `
class Attend(nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(self.scores(q, k), -1) @ v

    def scores(self, q, k):
        return torch.einsum("bhid,bhjd->bhij", q, k)
`, "Attend() | q:f32[B,C,H,W] k:f32[B,C,H,W] v:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"complex numbers, where the code takes their parts", header + `
class Parts(nn.Module):
    def forward(self, x):
        return x.real * 2 - x.imag
`, "Parts() | x:c64[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"labels of each place", header + `
class PixelLoss(nn.Module):
    def forward(self, input, target):
        return F.cross_entropy(input, target)
`, "PixelLoss() | input:f32[B,C,H,W] target:i64[B,H,W] | trial | f32[]"},
	{"how many axes an image has", header + `
class Net(nn.Module):
    def __init__(self, spatial_dims: int, in_channels: int, out_channels: int):
        super().__init__()
        self.conv = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[spatial_dims - 1](in_channels, out_channels, 1)

    def forward(self, x):
        return self.conv(x)
`, "Net(spatial_dims=2, in_channels=64, out_channels=64) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]"},
	{"arguments by name", header + `
class Attention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, c)
`, "Attention(dim=64, num_heads=8) | x:f32[B,T,64] | trial | f32[B,T,64]"},
	{"arguments by calls", header + `
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 5)

    def forward(self, x):
        return self.fc(x)


def main():
    print(Net(7))
`, "Net(width=7) | x:f32[B,7] | trial | f32[B,5]"},
	{"settings", header + `from dataclasses import dataclass


@dataclass
class NetConfig:
    vocab: int = 50
    width: int = 12


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.emb = nn.Embedding(config.vocab, config.width)

    def forward(self, idx, mask=None):
        return self.emb(idx)
`, "Net(config=NetConfig()) | idx:i64[B,T] | trial | f32[B,T,12]"},
	{"makers go before classes, and those before parts", header + `
class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.block = Block(n)

    def forward(self, x):
        return self.block(x)


def net_small(**kwargs) -> Net:
    return Net(6, **kwargs)
`, "net_small() | x:f32[B,6] | trial | f32[B,6]\nBlock(n=64) | x:f32[B,64] | trial | f32[B,64]"},
	{"lists and dictionaries", header + `from typing import Dict, List
from torch import Tensor


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 1)

    def forward(self, images: List[Tensor], batch):
        return torch.stack([self.conv(i[None]).mean() for i in images]) + batch["label"].sum()
`, "Both() | images=[f32[3,H,W],f32[3,H,W]] batch={\"label\": i64[B]} | trial | f32[2]"},
	{"annotations", header + `from jaxtyping import Float
from torch import Tensor


def scores(q: Float[Tensor, "b t d"], k: Float[Tensor, "b s d"]):
    return q @ k.transpose(1, 2)
`, "scores |  | annotation | f32[b,t,s]"},
	{"comments go first", header + `
# shapecheck: check Net(4) x:f32[2,4]
# shapecheck: check 'Net(n=5)' x:f32[B,5] --eval
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)
`, "Net(4) | x:f32[2,4] | comment | f32[2,4]\nNet(n=5) | x:f32[B,5] | comment | f32[B,5]"},
	{"a call of any number of inputs has one at least", header + `
class Net(nn.Module):
    def forward(self, *inputs):
        x = inputs if len(inputs) > 1 else inputs[0]
        return x.mean((2, 3))
`, "Net() | inputs:f32[B,C,H,W] | trial | f32[B,C]"},
	{"a class that derives from one of torchvision", header + "from torchvision.ops import StochasticDepth\n\n" + `
class Drop(StochasticDepth):
    def __init__(self):
        super().__init__(0.1, "batch")
`, "Drop() | input:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"modules by annotation, one and several", header + `from typing import Callable, Sequence

class Chain(nn.Module):
    def __init__(self, steps: Sequence[Callable], head: nn.Module):
        super().__init__()
        self.steps, self.head = steps, head

    def forward(self, x):
        for s in self.steps:
            x = s(x)
        return self.head(x).mean((2, 3))
`, "Chain(steps=[torch.nn.Identity()], head=torch.nn.Identity()) | x:f32[B,C,H,W] | trial | f32[B,C]"},
	{"a class that a layer's constructor makes", header + "class Linear(nn.Linear):\n    pass\n",
		"Linear(in_features=64, out_features=64) | input:f32[B,64] | trial | f32[B,64]"},
	{"programs", header + `
def main():
    loss = F.cross_entropy(torch.zeros(16, 10), torch.zeros(15, dtype=torch.long))


if __name__ == "__main__":
    main()
`, " |  | script | "},
	{"programs that need arguments which argparse reads", header + `
import argparse

if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("--width", type=int, required=True)
    args = p.parse_args()
    y = nn.Linear(4, args.width)(torch.zeros(2, 4)).sum()
`, " |  | script | "},
	{"a package that is missing", header + `
try:
    import no_such_package
except ImportError:
    no_such_package = None

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        if no_such_package is None:
            raise ImportError("no_such_package is needed")

    def forward(self, x):
        return x
`, "Net: no input was found with which it runs; line 14: raises ImportError: no_such_package is needed"},
	{"a missing package is in the way of one form, ranks of others", header + `
from no_such_package import window

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = window(5)

    def forward(self, x):
        if x.dim() != 2:
            raise ValueError("wrong rank")
        return self.window.apply(x), x
`, "Net: what it returns is not known: line 5: module 'no_such_package' was not found"},
	{"a program that computes at its top level", "import torch\n\na = torch.zeros(3, 4)\nb = torch.zeros(4, 5)\nc = a @ b\n",
		" |  | script | "},
	{"constants of a module", "import torch\n\nMEAN = torch.zeros(3)\nSCALE = MEAN * 2\n", "no model, nothing annotated"},
	{"programs that ask for arguments", header + "import sys\n\nif __name__ == '__main__':\n    print(torch.zeros(int(sys.argv[1])))\n",
		"no model, nothing annotated"},
	{"calls in a module of a package", header + "from .other import name\n\nname(torch.zeros(3))\n", "no model, nothing annotated"},
	{"no model", header + "class Data(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n        return i\n",
		"no model, nothing annotated"},
	{"an abstract base", header + "class Base(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError\n",
		"Base leaves its forward to other classes"},
}

func TestDiscover(t *testing.T) {
	for _, c := range plainPrograms {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if (c.want == "no model, nothing annotated" || strings.HasPrefix(c.want, "Base leaves")) && d.Runs != 0 {
				t.Errorf("%d runs for nothing", d.Runs)
			}
		})
	}
}

// What a program in a package imports by its own name is another package, as python -m finds it; beside other
// programs it is the file itself.
func TestProgramsNamedLikeWhatTheyImport(t *testing.T) {
	text := header + "\nif __name__ == '__main__':\n    import net\n    x = torch.zeros(2, 3)\n    net.load(x)\n"
	for _, c := range []struct {
		files  map[string]string
		errors int
	}{
		{map[string]string{"net.py": text, "__init__.py": ""}, 0},
		{map[string]string{"net.py": text}, 1},
	} {
		_, d := discovered(t, c.files)
		if len(ranOf(d)) != 1 {
			t.Fatalf("%d entries", len(ranOf(d)))
		}
		n := 0
		for _, x := range ranOf(d)[0].Result.Diagnostics {
			if x.Severity == diag.Error {
				n++
			}
		}
		if n != c.errors {
			t.Errorf("%d errors, want %d", n, c.errors)
		}
	}
}

// A syntax error rests on no guess, and is the same in each check of a session.
func TestSyntaxErrorsOfModels(t *testing.T) {
	s := &check.Session{Cache: infer.NewCache(), FS: reads.NewMemory(map[string]string{"/net.py": header +
		"class Net(nn.Module):\n    def forward(self, x):\n        return self.0q + self.1q\n"})}
	for range 3 {
		p, err := CheckFiles(t.Context(), s, []string{"/net.py"}, silent{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range p.Diagnostics {
			n += d.Count
			if d.Severity != diag.Error || d.Code != diag.SyntaxError || len(d.Notes) > 0 {
				t.Errorf("%+v", d)
			}
		}
		if n != 4 { // two for each of the two literals
			t.Errorf("%d findings, want 4", n)
		}
	}
}

// What only a guess brings about is no finding; a fault that every form of input meets is one.
func TestGuessesDoNotAccuse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		errors     int
	}{
		{"a default that stands for none", header + negative, 0},
		{"defaults that do not run, of what the file makes otherwise", header + residual +
			"\nif __name__ == '__main__':\n    print(Net(8, 8)(torch.zeros(2, 8)).shape)\n", 0},
		{"defaults that do not run, of what the file makes by numbers that it computes", header + residual +
			"\ndef make(n):\n    return Net(n, out=n)(torch.zeros(2, n))\n", 0},
		{"as the defaults, what the file makes does not run", header + residual + "\ndef make():\n    return Net(8, out=4)\n", 1},
		{"defaults that do not run, of what takes no input", header + `
class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.a = nn.Linear(8, 2)
        self.width = width

    def forward(self):
        return self.a(torch.zeros(3, self.width))

def make():
    return Net(width=8)()
`, 0},
		{"an input of several parts", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, sample):
        a, (b, c) = sample.parts()
        return self.fc(a) + b + c
`, 0},
		{"an entry that may not be one", header + `
class Net(nn.Module):
    def forward(self):
        raise ValueError("set it up first")
`, 0},
		{"a guessed width that does not fit", header + `
class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, 48)
        self.out = nn.Linear(48, 3)

    def forward(self, x):
        return self.out(self.fc(x)).reshape(-1, 7, 49).sum() + x.view(-1, 13, 17)
`, 0},
		{"a fault whose message names the form", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 4)

    def forward(self, x):
        return torch.cat([self.lin(x), x], -2)
`, 1},
		{"options that a program was not given", header + `
import argparse, os

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", type=str)
    p.add_argument("--width", type=int)
    p.add_argument("--resume")
    p.add_argument("--fast", action="store_const", const=3)
    args = p.parse_args()
    print(os.path.join(args.data, "train"), args.width * 2)
    net = nn.Linear(4, args.width)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    net(torch.zeros(2, 4))

if __name__ == "__main__":
    main()
`, 0},
		{"a fault of a program besides options that it was not given", header + `
import argparse, os

if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", type=str)
    args = p.parse_args()
    print(os.path.join(args.data, "train"))
    nn.Linear(4, 2)(torch.zeros(2, 5))
`, 1},
		{"a list that the constructor leaves empty", header + `
class Head(nn.Module):
    def __init__(self, anchors=(), n=4):
        super().__init__()
        self.anchors = torch.tensor(anchors).float().view(len(anchors), -1, 2)
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x) * self.anchors.sum()
`, 0},
		{"a fault beside a list that the constructor leaves empty", header + `
class Head(nn.Module):
    def __init__(self, hooks=()):
        super().__init__()
        self.hooks = list(hooks)
        self.a, self.b = nn.Linear(4, 8), nn.Linear(9, 4)

    def forward(self):
        return self.b(self.a(torch.zeros(2, 4)))
`, 1},
		{"arguments of any number that were not given", header + `
class Permute(nn.Module):
    def __init__(self, *dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return x.permute(*self.dims).contiguous()

class Viewer(nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.sizes = [int(s) for s in sizes]

    def forward(self, x):
        return x.view(*self.sizes)

class Parallel(nn.Module):
    def __init__(self, *branches, dim=1):
        super().__init__()
        self.branches = nn.ModuleList(branches)
        self.dim = dim

    def forward(self, x):
        return torch.cat([f(x) for f in self.branches], dim=self.dim)

class Named(Parallel):
    def __init__(self, *branches, **options):
        super().__init__(*branches, **options)
`, 0},
		{"a fault beside arguments of any number that are handed on", header + `
class Base(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.a, self.b = nn.Linear(4, 8), nn.Linear(9, 4)

class Net(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def forward(self):
        return self.b(self.a(torch.zeros(2, 4)))
`, 1},
		{"arguments of any number of which the file gives some", header + `
class Net(nn.Module):
    def __init__(self, *widths):
        super().__init__()
        self.a, self.b = nn.Linear(4, widths[0]), nn.Linear(9, 4)

    def forward(self, x):
        return self.b(self.a(x))

if __name__ == "__main__":
    net = Net(8, 2)
`, 1},
		{"an input of more dimensions than any form", header + `
class Net(nn.Module):
    def forward(self, x):
        return torch.einsum("abcdefg->a", x) + x.permute(6, 5, 4, 3, 2, 1, 0).sum()
`, 0},
		{"a target of which only one form is tried", header + `
class BCELoss(nn.BCELoss):
    pass
`, 0},
		{"two inputs that were given one size", header + `
class Decoder(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.q, self.k = nn.Linear(n, n), nn.Linear(2 * n, n)

    def forward(self, h, enc):
        return self.q(h) + self.k(enc)
`, 0},
		{"one input of two widths", header + `
class Decoder(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.q, self.k = nn.Linear(n, n), nn.Linear(2 * n, n)

    def forward(self, x):
        return self.q(x) + self.k(x)
`, 1},
		{"a text that tells another rank of one input than it has", header + `
class Correlation(nn.Module):
    """Left and input2.

    Args:
        input1: of shape (nodes, C)
    """

    def forward(self, input1: torch.Tensor, input2: torch.Tensor):
        return input1.size(2), input1.size(3), input2
`, 0},
		{"a part of an input that its name gives one form", header + `
class Net(nn.Module):
    def forward(self, x, targets):
        return x + targets[0][1]
`, 0},
		{"a fault beside an input that its name gives one form", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.b = nn.Linear(6, 7)

    def forward(self, x, targets):
        return self.b(self.a(x)) + targets.sum()
`, 1},
		{"an element of an input in a formula", header + `
class Correlation(nn.Module):
    """Corr(N_i) =
        input1(N_i, c) * input2(N_i, c)
    """

    def forward(self, input1: torch.Tensor, input2: torch.Tensor):
        return input1.size(2), input1.size(3), input2
`, 0},
		{"two layers that never fit", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.b = nn.Linear(6, 7)

    def forward(self, x):
        return self.b(self.a(x))
`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, d := discovered(t, map[string]string{"net.py": c.text})
			if n := shownIn(d); n != c.errors {
				t.Errorf("%d findings that count, not %d: %s", n, c.errors, text)
			}
		})
	}
}

func TestCommentsOfEntriesThatCannotBeRead(t *testing.T) {
	_, d := discovered(t, map[string]string{"net.py": "# shapecheck: chekc Net()\n# shapecheck: check\n# shapecheck: check Net( x\n# shapecheck: check f 3\nx = '# shapecheck: chekc'\n# shapecheck: ignore\n"})
	if len(d.Diagnostics) != 4 {
		t.Fatalf("%d findings", len(d.Diagnostics))
	}
	for _, f := range d.Diagnostics {
		if f.Code != diag.BadComment {
			t.Errorf("%s", f.Code)
		}
	}
}

// Who checks again begins with what was right before, and finds something else when it is not.
func TestWinnersAreTriedFirst(t *testing.T) {
	const net = header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        return self.conv(x)
`
	winners := &Winners{}
	for _, c := range []struct {
		text string
		want string
		runs int
	}{
		{net, "Net() x:f32[B,3,H,W] f32[B,8,H,W]", 2},
		{net, "Net() x:f32[B,3,H,W] f32[B,8,H,W]", 1},
		{strings.Replace(net, "8,", "9,", 1), "Net() x:f32[B,3,H,W] f32[B,9,H,W]", 1},
		{strings.Replace(net, "nn.Conv2d(3, 8, 3, padding=1)", "nn.Embedding(7, 5)", 1), "Net() x:i64[B,T] f32[B,T,5]", 0},
		{net, "Net() x:f32[B,3,H,W] f32[B,8,H,W]", 0},
	} {
		s := &check.Session{FS: reads.NewMemory(map[string]string{"net.py": c.text})}
		d, err := Discover(t.Context(), s, "net.py", nil, winners)
		if err != nil || len(ranOf(d)) != 1 {
			t.Fatalf("%v: %+v", err, d)
		}
		r := ranOf(d)[0].Result
		if got := strings.Join([]string{r.Target.Run.Entry, strings.Join(r.Target.Run.Args, " "), r.OutputType}, " "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if c.runs > 0 && d.Runs != c.runs {
			t.Errorf("%s: %d runs, want %d", c.want, d.Runs, c.runs)
		}
	}
}

// What a function makes goes before the blocks of the file, also where its class is mentioned there,
// or is another file's and the function is registered; loading a file costs none of the steps
// of the trials.
func TestDiscoverMakers(t *testing.T) {
	got, d := discovered(t, map[string]string{
		"/net.py": header + `from base import Base, register_model

count = 0
for i in range(100_000):
    count = count + i

class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        return self.conv(x)

class Two(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net, self.fc = Net(), nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc(self.net(x))

def net(pretrained=False) -> Net:
    return Net()

@register_model
def base(pretrained=False) -> Base:
    return Base()

def other(pretrained=False) -> Base:
    return Base()
`,
		"/base.py": header + `
def register_model(fn):
    return fn

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)

    def forward(self, x):
        return self.conv(x)
`})
	const want = "net() | x:f32[B,3,H,W] | trial | f32[B,8,H,W]\nbase() | x:f32[B,3,H,W] | trial | f32[B,16,H,W]\nBlock(dim=64) | "
	if !strings.HasPrefix(got, want) || len(ranOf(d)) != 4 {
		t.Errorf("%d runs, failed: %v, got\n%s\nwant four entries, first\n%s", d.Runs, failedOf(d), got, want)
	}
}

// A model whose arguments may all be left out, and that runs with none of them left out only, gets those
// that models of transformers are given; one that needs an optional argument gets it, too.
func TestDiscoverOptional(t *testing.T) {
	got, d := discovered(t, map[string]string{"/net.py": header + `from dataclasses import dataclass
from typing import Optional, Union
import numpy as np


@dataclass
class TinyConfig:
    width: int = 16


class TinyPreTrained(nn.Module):
    def init_weights(self, module):
        if isinstance(module, (TinyModel, TinyWave)):
            pass


class TinyModel(TinyPreTrained):
    def __init__(self, config: TinyConfig):
        super().__init__()
        self.emb = nn.Embedding(100, config.width)

    def forward(self, input_ids: Optional[torch.LongTensor] = None, attention_mask=None, inputs_embeds=None):
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("exactly one of them")
        return self.emb(input_ids) if inputs_embeds is None else inputs_embeds


class TinyWave(TinyPreTrained):
    def __init__(self, config: TinyConfig):
        super().__init__()
        self.conv = nn.Conv1d(1, config.width, 3, padding=1)

    def forward(self, input_values: Optional[torch.Tensor]):
        return self.conv(input_values[:, None])


def sized(image: Union[np.ndarray, "torch.Tensor[3]"], n: int = 3) -> int:
    return n
`})
	const want = "TinyModel(config=TinyConfig()) | input_ids:i64[B,T] | trial | f32[B,T,16]\nTinyWave(config=TinyConfig()) | input_values:f32[B,T] | trial | f32[B,16,T]"
	if got != want {
		t.Errorf("%d runs, failed: %v, got\n%s\nwant\n%s", d.Runs, failedOf(d), got, want)
	}
}

// A model whose result comes from a module that is missing is tried once, and told so; the inputs of a
// loss have one type.
func TestDiscoverMissing(t *testing.T) {
	got, d := discovered(t, map[string]string{"/net.py": header + `from nowhere import layer

class Net(nn.Module):
    def forward(self, x):
        return layer(x)
`})
	if want := "Net: what it returns is not known: line 4: module 'nowhere' was not found"; got != want || d.Runs != 1 {
		t.Errorf("%d runs, got %s, want %s", d.Runs, got, want)
	}
	got, _ = discovered(t, map[string]string{"/net.py": header + `
class PairLoss(nn.Module):
    def __init__(self, loss_func, n_src):
        super().__init__()
        self.loss_func, self.n = loss_func, n_src

    def forward(self, est_targets, targets):
        if est_targets.dim() != 3 or targets.shape != est_targets.shape:
            raise TypeError("[batch, sources, time]")
        return self.loss_func(est_targets, targets) * self.n
`})
	if want := "PairLoss(loss_func=torch.nn.MSELoss(), n_src=4) | est_targets:f32[B,T,C] targets:f32[B,T,C] | trial | f32[]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
