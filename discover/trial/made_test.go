package trial

import (
	"testing"

	"shapecheck/check"
)

var madePrograms = []program{
	{"a part whose constructor hands its keywords on", header + `
class Layers(nn.Module):
    def __init__(self, dim, depth=None):
        super().__init__()
        assert depth is not None, "depth must be given"
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])

    def forward(self, x):
        for l in self.layers:
            x = l(x)
        return x

class Decoder(Layers):
    def __init__(self, **kwargs):
        assert "causal" not in kwargs
        super().__init__(**kwargs)

class Net(nn.Module):
    def __init__(self, *, layers: Decoder):
        super().__init__()
        self.layers, self.out = layers, nn.Linear(64, 3)

    def forward(self, x):
        return self.out(self.layers(x))
`, "Net(layers=Decoder(dim=64, depth=2)) | x:f32[B,64] | trial | f32[B,3]\n" +
		"Layers(dim=64, depth=2) | x:f32[B,64] | trial | f32[B,64]\nDecoder(dim=64, depth=2) | x:f32[B,64] | trial | f32[B,64]"},
	{"keywords that a constructor fills itself are not given", header + `
class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 3)

    def forward(self, x):
        return self.fc(x)

class Net(Base):
    def __init__(self, **kwargs):
        kwargs["width"] = 5
        super().__init__(**kwargs)
`, "Net() | x:f32[B,5] | trial | f32[B,3]\nBase(width=64) | x:f32[B,64] | trial | f32[B,3]"},
	{"a tensor as the program says it is", header + `
class Net(nn.Module):
    def __init__(self, matrix: torch.Tensor):
        super().__init__()
        if matrix.dim() != 2:
            raise ValueError("a matrix should be two-dimensional")
        self.matrix = matrix

    def forward(self, x):
        return x @ self.matrix
`, "Net(matrix=torch.ones(64, 64)) | x:f32[B,C,H,W] | trial | f32[B,C,H,64]"},
	{"one of several types", header + `
from pathlib import Path
class Net(nn.Module):
    def __init__(self, weight: str | Path, device: torch.device, table: "np.ndarray"):
        super().__init__()
        self.fc = nn.Linear(len(table), 2, device=device)
        self.weight = Path(weight)

    def forward(self, x):
        return self.fc(x)
`, "Net(weight=pathlib.Path('a'), device='cpu', table=numpy.ones(8)) | x:f32[B,8] | trial | f32[B,2]"},
	{"an object with tensors, by the class that the annotation names", header + `
from typing import Optional, Union
OptTensor = Optional[torch.Tensor]

class Data:
    def __init__(self, x: OptTensor = None, edge_index: torch.Tensor | None = None, name: str = "", **more):
        self.x, self.edge_index = x, edge_index
        for k, v in more.items():
            setattr(self, k, v)

    @property
    def source(self):
        return self.x[self.edge_index[0]]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(7, 2)

    def forward(self, data: Union[Data, None]):
        return self.fc(data.source) * weight_of(data)

def weight_of(data):
    return data.edge_weight[:, None]
`, "Net() | data=Data(x=f32[B,7], edge_index=i64[2,E], edge_weight=f32[E]) | trial | f32[E,2]"},
	{"a dataclass of tensors, one of which may be left out", header + `
from dataclasses import dataclass

@dataclass
class Batch:
    image: torch.Tensor
    labels: torch.Tensor | None = None
    weight: float = 1.0

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 1)

    def forward(self, batch: Batch):
        y = self.conv(batch.image).mean((2, 3))
        return F.cross_entropy(y, batch.labels, reduction="none")
`, "Net() | batch=Batch(image=f32[B,3,H,W], labels=i64[B]) | trial | f32[B]"},
	{"a module with attributes", header + `
class Net(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        model.start_pool()
        self.model, self.fc = model, nn.Linear(model.get_hidden_size(), model.config.num_labels)

    def forward(self, x):
        return self.fc(self.model(x))
`, "Net(model=type('AnyModule', (torch.nn.Module,), {'forward': lambda self, x, *others, **named: x, 'start_pool': lambda self, *given, **named: 8, " +
		"'get_hidden_size': lambda self, *given, **named: 64, 'config': types.SimpleNamespace(num_labels=10)})()) | x:f32[B,64] | trial | f32[B,10]"},
	{"a list of pictures, as many as there are layers", header + `
class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(3, 5, 1) for _ in range(n)])

    def forward(self, inputs):
        assert len(inputs) == len(self.convs)
        out = [c(x) for c, x in zip(self.convs, inputs)]
        return out[-1]
`, "Net() | inputs=[f32[B,3,H,W],f32[B,3,H,W],f32[B,3,H,W],f32[B,3,H,W]] | trial | f32[B,5,H,W]"},
	{"a number before a tensor, of several types", header + `
from typing import Tuple, Union
class Net(nn.Module):
    def __init__(self, degrees: Union[torch.Tensor, float, Tuple[float, float]]):
        super().__init__()
        if isinstance(degrees, torch.Tensor):
            raise TypeError("no tensors here")
        self.degrees = degrees

    def forward(self, x):
        return x * self.degrees
`, "Net(degrees=0.5) | x:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"an object that cannot be made, by its attributes", header + `
class Batch:
    def __init__(self, image: torch.Tensor):
        raise RuntimeError("it is made by the loader")

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 1)

    def forward(self, batch: Batch):
        return self.conv(batch.image)
`, "Net() | batch=types.SimpleNamespace(image=f32[B,3,H,W]) | trial | f32[B,4,H,W]"},
}

// TestDiscoverMakes tells what instances are made for constructors and calls.
func TestDiscoverMakes(t *testing.T) {
	for _, c := range madePrograms {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			hasNoFinding(t, d)
		})
	}
}

// hasNoFinding fails where a finding counts.
func hasNoFinding(t *testing.T, d *check.Discovery) {
	t.Helper()
	for _, x := range ranOf(d) {
		if x.Err == nil && check.HasErrors(x.Result.Diagnostics) {
			t.Errorf("%s has errors: %s", x.Name, x.Result.Diagnostics[0].Msg)
		}
	}
}

// TestDiscoverMethods tells what is run of a file without a forward that runs.
func TestDiscoverMethods(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a forward that is left to nobody", header + `
class Norm(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def _mean(self, x):
        return x.mean(self.dim, keepdim=True)

    def transform(self, x, mask):
        assert x.ndim == 3
        return x - self._mean(x * mask)

    def forward(self, x):
        raise NotImplementedError
`, "Norm().transform | x:f32[B,C,T] mask:f32[B,1,T] | trial | f32[B,C,T]"},
		{"a method that nothing runs, and one with a result", header + `
class Norm(nn.Module):
    def fit(self, x):
        self.mean = x.mean(0)

    def apply_to(self, x):
        return x - self.mean

    @property
    def width(self):
        return 3

    def scale(self, x):
        return x.view(-1, 3)

    def forward(self, x):
        raise NotImplementedError
`, "Norm().scale | x:f32[B,C,H,W] | trial | f32[(B*C*H*W)//3,3]"},
		{"a forward of what is no module", header + `
class Bijector:
    @staticmethod
    def forward(x):
        return torch.tanh(x)
`, "Bijector().forward | x:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			hasNoFinding(t, d)
		})
	}
}

// TestTrainingSteps tells what is said of classes of Lightning without a forward: a Trainer calls their training step.
func TestTrainingSteps(t *testing.T) {
	step := func(lines string) string {
		return header + `
import lightning as L

class Net(L.LightningModule):
    def __init__(self, hidden=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(784, hidden), nn.ReLU(), nn.Linear(hidden, 3))
        self.decoder = nn.Sequential(nn.Linear(4, hidden), nn.ReLU(), nn.Linear(hidden, 784))
        self.head = nn.Linear(784, 10)

    def training_step(self, batch, batch_idx):
` + lines
	}
	for _, c := range []struct {
		name, text, want string
		errors           int
	}{
		{"labels", step(`
        x, y = batch
        loss = F.cross_entropy(self.head(x.flatten(1)), y)
        self.log("loss", loss)
        return loss
`), "Net().training_step | batch=(f32[B,784], i64[B]) batch_idx:int | trial | f32[]", 0},
		{"a dictionary", step(`
        return self.head(batch["pixels"]).mean()
`), `Net().training_step | batch={"pixels": f32[B,C,H,W]} batch_idx:int | trial | f32[]`, 0},
		{"a fault whatever the images are", step(`
        x, _ = batch
        x = x.view(x.size(0), -1)
        return F.mse_loss(self.decoder(self.encoder(x)), x)
`), "Net().training_step | batch=(f32[B,C], f32[B,C]) batch_idx:int | trial | ?", 1},
		{"a fault that the targets may cause", step(`
        x, target = batch
        return F.mse_loss(self.head(x.flatten(1)), target.view(-1, 11))
`), "Net.training_step: no input was found with which it runs; with batch=(f32[B,C], i64[B]), batch_idx:int, " +
			"line 17: mse_loss: sizes 10 and 11 do not match at dimension -1: f32[B,10] and i64[B//11,11]", 0},
		{"a part that others set", step(`
        x, y = batch
        return F.mse_loss(self.model(x), y)
`), "Net.training_step: no input was found with which it runs; with batch=(f32[B,C], i64[B]), batch_idx:int, line 17: 'Net' object has no attribute 'model'", 0},
		{"one that its forward runs, too", step(`
        x, y = batch
        return F.cross_entropy(self(x), y)

    def forward(self, x):
        return self.head(x)
`), "Net() | x:f32[B,784] | trial | f32[B,10]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if n := shownIn(d); n != c.errors {
				t.Errorf("%d findings that count, not %d", n, c.errors)
			}
		})
	}
}

// TestAnnotatedMethods tells what is said of methods of which annotations tell all arguments.
func TestAnnotatedMethods(t *testing.T) {
	const imports = "import torch\nfrom torch import nn, Tensor\nfrom jaxtyping import Float\n"
	for _, c := range []struct {
		name, text, want string
		errors           int
	}{
		{"of a module without a forward", imports + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def encode(self, x: Float[Tensor, "b 5"]):
        return self.fc(x)
`, "Net().encode |  | annotation | ?", 1},
		{"beside a forward", imports + `
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x)

    def encode(self, x: Float[Tensor, "b t"], n: int):
        return x.sum(1) + n
`, "Net(width=64) | x:f32[B,64] | trial | f32[B,2]\nNet(width=64).encode |  | trial | f32[b]", 0},
		{"static, of a class that is no module", imports + `
class Tools:
    @staticmethod
    def scale(x: Float[Tensor, "b 3"]):
        return x @ torch.zeros(4, 2)
`, "Tools().scale |  | annotation | ?", 1},
		{"with an argument that nothing tells", imports + `
class Tools:
    def scale(self, x: Float[Tensor, "b 3"], y):
        return x @ y
`, "no model, nothing annotated", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, d := discovered(t, map[string]string{"net.py": c.text})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if n := shownIn(d); n != c.errors {
				t.Errorf("%d findings that count, not %d", n, c.errors)
			}
		})
	}
}

// A run that takes too much is made once more at most with another form: the others would take as much.
func TestDiscoverStopsWhereRunsTakeTooMuch(t *testing.T) {
	_, d := discovered(t, map[string]string{"net.py": header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        while True:
            x = x + 1
`})
	if d.Runs > 2 {
		t.Errorf("%d runs", d.Runs)
	}
}
