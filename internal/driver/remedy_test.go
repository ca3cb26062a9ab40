package driver

import "testing"

// What a run that failed tells of the arguments, and what there is where nothing tells of them.
func TestDiscoverRemedies(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an autograd.Function", header + `
class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).float().sum(1)

    @staticmethod
    def backward(ctx, grad):
        return grad
`, "Step.apply | x:f32[B,C,H,W] | trial | f32[B,H,W]"},
		{"an autograd.Function whose context is set up apart", header + `
class Step(torch.autograd.Function):
    @staticmethod
    def forward(tokens):
        return tokens.float().mean(1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass
`, "Step.apply | tokens:i64[B,T] | trial | f32[B]"},
		{"an autograd.Function beside a model", header + `
class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

class Net(nn.Module):
    def forward(self, x):
        b, t, c = x.shape
        return Step.apply(x)
`, "Net() | x:f32[B,T,C] | trial | f32[B,T,C]"},
		{"numbers of classes, not features", header + `
class Net(nn.Module):
    def forward(self, x):
        return nn.functional.one_hot(x, 5)
`, "Net() | x:i64[B,T] | trial | i64[B,T,5]"},
		{"a class of layers by the base that all dimensions have", header + `
from torch.nn.modules.conv import _ConvNd

class Net(nn.Module):
    def __init__(self, conv_op: type[_ConvNd], input_channels: int):
        super().__init__()
        self.conv = conv_op(input_channels, 8, 3)

    def forward(self, x):
        return self.conv(x)
`, "Net(conv_op=torch.nn.Conv2d, input_channels=64) | x:f32[B,64,H,W] | trial | f32[B,8,H-2,W-2]"},
		{"a parameter of which nothing is told", header + `
class Net(nn.Module):
    def __init__(self, whatever):
        super().__init__()
        self.fc = nn.Linear(4, whatever.size if hasattr(whatever, "size") else 2)

    def forward(self, x):
        return self.fc(x)
`, "Net(whatever=types.SimpleNamespace(size=64)) | x:f32[B,4] | trial | f32[B,64]"},
		{"a parameter of which nothing is told, that another function takes", header + `
def width(n):
    return n + 1

class Net(nn.Module):
    def __init__(self, whatever):
        super().__init__()
        self.fc = nn.Linear(4, width(whatever))

    def forward(self, x):
        return self.fc(x)
`, "Net(whatever=8) | x:f32[B,4] | trial | f32[B,9]"},
		{"a parameter of which nothing is told, and it is no number", header + `
def width(n):
    return len(n.split())

class Net(nn.Module):
    def __init__(self, whatever):
        super().__init__()
        self.fc = nn.Linear(4, width(whatever))

    def forward(self, x):
        return self.fc(x)
`, "Net: nothing tells what its parameter whatever is"},
		{"a parameter of the constructor that has no name for callers", header + `
class Net(nn.Module):
    def __init__(self, width, /, depth):
        super().__init__()
        self.fc = nn.Linear(4, width * depth)

    def forward(self, x):
        return self.fc(x)
`, "Net(64, depth=2) | x:f32[B,4] | trial | f32[B,128]"},
		{"a number where there should be several", header + `
def first(depths):
    return depths[0]

class Net(nn.Module):
    def __init__(self, depths):
        super().__init__()
        self.fc = nn.Linear(4, first(depths))

    def forward(self, x):
        return self.fc(x)
`, "Net(depths=[8, 8]) | x:f32[B,4] | trial | f32[B,8]"},
		{"a mask that cannot be None", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 8, 1)

    def forward(self, x, x_mask):
        return self.conv(x) * x_mask
`, "Net() | x:f32[B,4,T] x_mask:f32[B,1,T] | trial | f32[B,8,T]"},
		{"a mask of positions that cannot be None", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 8, batch_first=True)

    def forward(self, x, mask):
        return self.rnn(x)[0].masked_fill(mask.unsqueeze(2), 0.0)
`, "Net() | x:f32[B,T,4] mask:bool[B,T] | trial | f32[B,T,8]"},
		{"an input whose parts have keys", header + `
def part(inputs, key):
    return inputs[key]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, inputs: dict[str, torch.Tensor]):
        return self.fc(part(inputs, "one") + part(inputs, "two"))
`, `Net() | inputs={"one": f32[B,4], "two": f32[B,4]} | trial | f32[B,8]`},
		{"several inputs whose parts have keys", header + `
from typing import Iterable

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, inputs: Iterable[dict[str, torch.Tensor]]):
        return torch.stack([self.fc(x["one"]) for x in inputs])
`, `Net() | inputs=[{"one": f32[B,4]}, {"one": f32[B,4]}] | trial | f32[2,B,8]`},
		{"an input whose parts have parts", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def one(self, inputs, way):
        return self.fc(inputs[way]["xs"]) * inputs[way]["weight"].mean()

    def forward(self, inputs):
        return self.one(inputs, "there") + self.one(inputs, "back")
`, `Net() | inputs={"there": {"xs": f32[B,4], "weight": f32[B,4]}, "back": {"xs": f32[B,4], "weight": f32[B,4]}} | trial | f32[B,8]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := discovered(t, map[string]string{"net.py": c.text}); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
