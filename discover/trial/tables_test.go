package trial

import "testing"

var tablePrograms = []program{
	{"a key of a table of the program", header + `
WIDTHS = {"small": 4, "large": 8}

class Net(nn.Module):
    def __init__(self, architecture):
        super().__init__()
        self.fc = nn.Linear(WIDTHS.copy()[architecture], 3)

    def forward(self, x):
        return self.fc(x)
`, "Net(architecture='small') | x:f32[B,4] | trial | f32[B,3]"},
	{"a key by which another function of the file asks", header + `
class Table:
    parts = {"one": (2, 3)}

    def get(self, name):
        return self.parts[name]

class Net(nn.Module):
    def __init__(self, size_name):
        super().__init__()
        self.fc = nn.Linear(*Table().get(size_name))

    def forward(self, x):
        return self.fc(x)
`, "Net(size_name='one') | x:f32[B,2] | trial | f32[B,3]"},
	{"two objects where one has nothing to be joined", header + `
class Feature:
    def __init__(self, name, width=4):
        self.name = name
        self.width = width

class Net(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.layers = nn.ModuleDict({c.name: nn.Linear(3, c.width) for c in columns})

    def forward(self, x):
        each = [f(x) for f in self.layers.values()]
        return torch.stack([a * b for i, a in enumerate(each) for b in each[i + 1:]], 1)
`, "Net(columns=[Feature(name='a'), Feature(name='b')]) | x:f32[B,3] | trial | f32[B,1,4]"},
	{"a tensor where one is asked for its sizes", header + `
class Net(nn.Module):
    def __init__(self, dim, groups=[]):
        """groups : torch matrix
        """
        super().__init__()
        self.groups = groups.to(groups.device)
        self.fc = nn.Linear(dim, self.groups.shape[0])

    def forward(self, x):
        return self.fc(x) @ self.groups
`, "Net(dim=64, groups=torch.ones(64, 64)) | x:f32[B,64] | trial | f32[B,64]"},
	{"fields of settings whose defaults fit nothing", header + `
from dataclasses import dataclass

@dataclass
class LayerConfig:
    dim_in: int = -1
    dim_out: int = -1
    bias: bool = True

class Net(nn.Module):
    def __init__(self, config: LayerConfig):
        super().__init__()
        self.fc = nn.Linear(config.dim_in, config.dim_out, bias=config.bias)

    def forward(self, x):
        return self.fc(x)
`, "Net(config=LayerConfig(dim_in=64, dim_out=64)) | x:f32[B,64] | trial | f32[B,64]"},
	{"what a call gives", header + `
class Scores(nn.Module):
    def __init__(self, masked=True, scale=None):
        super().__init__()
        self.masked = masked

    def forward(self, q, k):
        if self.masked:
            raise RuntimeError("there is no mask")
        return q @ k.transpose(1, 2), None

class Layer(nn.Module):
    def __init__(self, scores, dim):
        super().__init__()
        self.scores, self.q = scores, nn.Linear(dim, dim)

    def forward(self, x):
        b, t, c = x.shape
        return self.scores(self.q(x), x)[0]

class Net(nn.Module):
    def __init__(self, dim=8, scale=2):
        super().__init__()
        scores = Scores(False, scale=scale)
        self.layers = nn.ModuleList([Layer(scores, dim), Layer(Scores(False), dim)])

    def forward(self, x):
        return self.layers[0](x)
`, "Net() | x:f32[B,T,8] | trial | f32[B,T,T]\nScores(False) | q:f32[B,T,C] k:f32[B,T,C] | trial | (f32[B,T,T], None)\n" +
		"Layer(scores=Scores(False), dim=64) | x:f32[B,T,64] | trial | f32[B,T,T]"},
	{"a parameter with which nothing is done", header + `
class Net(nn.Module):
    def __init__(self, dim, unheard):
        super().__init__()
        self.fc = nn.Linear(dim, 3)

    def forward(self, x):
        return self.fc(x)
`, "Net(dim=64, unheard=8) | x:f32[B,64] | trial | f32[B,3]"},
	{"the text with which the class itself compares", header + `
class First(nn.Module):
    def __init__(self, kind="relu"):
        super().__init__()
        if kind == "identity":
            self.f = nn.Identity()

    def forward(self, x):
        return x + 1

class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "linear":
            self.f = nn.Linear(4, 3)
        else:
            raise ValueError("there is no such kind")

    def forward(self, x):
        return self.f(x)
`, "First() | x:f32[B,C] | trial | f32[B,C]\nNet(kind=\"linear\") | x:f32[B,4] | trial | f32[B,3]"},
	{"an integer for each of several", header + `
from typing import List, Union

class Net(nn.Module):
    def __init__(self, stages: int, kernel_sizes: Union[int, List[int]], strides: Union[int, List[int]]):
        super().__init__()
        if isinstance(kernel_sizes, int):
            kernel_sizes, strides = [kernel_sizes] * stages, [strides] * stages
        self.layers = nn.ModuleList(nn.Conv2d(3, 3, k, s, k // 2) for k, s in zip(kernel_sizes, strides))

    def forward(self, x):
        for f in self.layers:
            x = x + f(x)
        return x
`, "Net(stages=8, kernel_sizes=3, strides=1) | x:f32[B,3,H,W] | trial | f32[B,3,H,W]"},
	{"a keyword behind all that comes by position", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.fc = nn.Embedding(5, 4), nn.Linear(3, 4)

    def loss(self, x, noise=None, *, classes):
        return torch.cat([self.fc(x), self.embed(classes)], 1).sum()

    def forward(self, x, *args, **kwargs):
        return self.loss(x, *args, **kwargs)
`, "Net() | x:f32[B,T,3] classes:i64[B,T] | trial | f32[]"},
	{"no tuple, of which attributes are taken", header + `
class Net(nn.Module):
    def __init__(self, several=False):
        super().__init__()
        self.several, self.fc = several, nn.Linear(5, 3)

    def forward(self, x):
        n = x.shape[1]
        if x.dim() != 3:
            raise ValueError("x must be 3D")
        if self.several:
            q, k = x
        else:
            q, k = x, x
        return self.fc(q) @ self.fc(k).transpose(1, 2)
`, "Net() | x:f32[B,T,5] | trial | f32[B,T,T]"},
	{"a space of several by name", header + `
from gymnasium import spaces

class Extractor(nn.Module):
    def __init__(self, observation_space: spaces.Space):
        super().__init__()
        self.parts = nn.ModuleDict({k: nn.Flatten() for k in observation_space.spaces})

    def forward(self, observations):
        return torch.cat([f(observations[k]) for k, f in self.parts.items()], 1)
`, "Extractor(observation_space=gymnasium.spaces.Dict(a=gymnasium.spaces.Box(-1.0, 1.0, (8,)), " +
		"b=gymnasium.spaces.Box(0, 255, (3, 64, 64), 'uint8'))) | " +
		"observations={\"a\": f32[B,8], \"b\": u8[B,3,64,64]} | trial | f32[B,12296]"},
}

// TestDiscoverTables: what the tables, the lists, the settings and the calls of a program tell of its constructors.
func TestDiscoverTables(t *testing.T) {
	for _, c := range tablePrograms {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := discovered(t, c.files()); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
