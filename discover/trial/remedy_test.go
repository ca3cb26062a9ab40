package trial

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/internal/reads"
)

// otherFile raises what the program has to say of its arguments, from another file.
const otherFile = `
def check(holds, message):
    if not holds:
        raise ValueError(message)

def helper(x):
    return x

def keep(instance, values):
    for name, v in values.items():
        if name not in ("self", "__class__"):
            setattr(instance, name, v)

def initialise(layer, starts):
    starts(layer.weight)

def chosen(way):
    ways = ["mean", "max"]
    if way not in ways:
        raise ValueError(f"way is {way}, supported: {', '.join(ways)}")

class Caller:
    def __init__(self, inner):
        if not callable(inner):
            raise TypeError("it cannot be called")
        self.inner = inner

class Setup:
    def set_up(self, config, dataset, options):
        self.field = config["USER_FIELD"]
        self.n = dataset.num(self.field) + options.hidden_size
`

var remedyPrograms = []program{
	{"what is None by default, where nothing names it", header + `
class Net(nn.Module):
    def __init__(self, dim=None):
        super().__init__()
        n = dim
        if n is None:
            raise ValueError("no width")
        self.fc = nn.Linear(n, 4)

    def forward(self, x):
        return self.fc(x)
`, "Net(dim=64) | x:f32[B,64] | trial | f32[B,4]"},
	{"two numbers of which one is more", header + `
class Net(nn.Module):
    def __init__(self, inp, oup):
        super().__init__()
        self.rest = nn.Conv2d(inp, oup - inp, 1)

    def forward(self, x):
        return torch.cat([x, self.rest(x)], 1)
`, "Net(inp=64, oup=128) | x:f32[B,64,H,W] | trial | f32[B,128,H,W]"},
	{"a list for what is added to one", header + `
class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        sizes = [16] + dim
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`, "Net(dim=[64, 64]) | x:f32[B,16] | trial | f32[B,64]"},
	{"a module for an instance that a constructor of another file refuses", header + `
from other import Caller

class Encoder:
    def __init__(self, width=3):
        self.width = width

class Net(nn.Module):
    def __init__(self, encoder: Encoder):
        super().__init__()
        self.encode = Caller(encoder).inner
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        return self.fc(self.encode(x))
`, "Net(encoder=torch.nn.Identity()) | x:f32[B,16] | trial | f32[B,4]"},
	{"features of widths of their own", header + `
class Neck(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(16, 8, 1), nn.Conv2d(32, 8, 1)

    def forward(self, features):
        fine, coarse = features
        return self.a(fine) + F.interpolate(self.b(coarse), scale_factor=2)
`, "Neck() | features=(f32[B,16,H,W], f32[B,E,F,G]) | trial | f32[B,8,H,W]"},
	{"a loss of two tensors of one type, whatever the second is called", header + `
class SoftLoss(nn.Module):
    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target)
`, "SoftLoss() | input:f32[B,T,C] target:f32[B,T,C] | trial | f32[]"},
	{"inputs that are no tensors", header + `
class Net(nn.Module):
    def forward(self, x, act_fn, dim, return_mean, h, w):
        y = act_fn(x).sum(dim) if not return_mean else x.mean(dim)
        return y.view(-1, h, w)
`, "Net() | x:f32[B,C,H,W] act_fn=torch.nn.Identity() dim=-1 return_mean=False h:int w:int | trial | f32[(B*C*H)//(h*w),h,w]"},
	{"a forward with overloads", header + `
from typing import overload

class Net(nn.Module):
    @overload
    def forward(self, x: int) -> int:
        pass

    def forward(self, x):
        return F.conv2d(x, torch.zeros(2, 3, 1, 1))
`, "Net() | x:f32[B,3,H,W] | trial | f32[B,2,H,W]"},
	{"spaces of which the constructor refuses one", header + `
from gymnasium import spaces

class Policy(nn.Module):
    def __init__(self, observation_space: spaces.Space, action_space: spaces.Space):
        super().__init__()
        if not isinstance(action_space, spaces.Box):
            raise ValueError(f"actions must be a Box but got: {action_space}")
        self.fc = nn.Linear(observation_space.shape[0], action_space.shape[0])

    def forward(self, obs):
        return self.fc(obs)
`, "Policy(observation_space=gymnasium.spaces.Box(-1.0, 1.0, (8,)), action_space=gymnasium.spaces.Box(-1.0, 1.0, (8,))) | obs:f32[B,8] | trial | f32[B,8]"},
	{"a space that another function refuses", header + `
from gymnasium import spaces

def planes(space):
    if len(space.shape) != 3:
        raise ValueError("no planes")
    return space.shape[0]

class Policy(nn.Module):
    def __init__(self, observation_space: spaces.Space, action_space: spaces.Discrete):
        super().__init__()
        self.conv = nn.Conv2d(planes(observation_space), action_space.n, 3)

    def forward(self, obs):
        return self.conv(obs.float())
`, "Policy(observation_space=gymnasium.spaces.Box(0, 255, (3, 64, 64), 'uint8'), action_space=gymnasium.spaces.Discrete(4)) | obs:u8[B,3,64,64] | trial | f32[B,4,62,62]"},
	{"observations by the keys of a space", header + `
from gymnasium import spaces

class Policy(nn.Module):
    def __init__(self, observation_space: spaces.Dict):
        super().__init__()
        self.parts = nn.ModuleDict({key: nn.Flatten() for key in observation_space.spaces})
        self.fc = nn.Linear(8 + 3 * 64 * 64, 2)

    def forward(self, observations):
        assert isinstance(observations, dict)
        return self.fc(torch.cat([part(observations[key].float()) for key, part in self.parts.items()], 1))
`, "Policy(observation_space=gymnasium.spaces.Dict(a=gymnasium.spaces.Box(-1.0, 1.0, (8,)), b=gymnasium.spaces.Box(0, 255, (3, 64, 64), 'uint8'))) | observations={\"a\": f32[B,8], \"b\": u8[B,3,64,64]} | trial | f32[B,2]"},
	{"a flag for which another class asks", header + `
class Net(nn.Module):
    def __init__(self, dim, learned = False,
                 fixed: bool = False):
        super().__init__()
        self.has_weights = learned or fixed
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc(x)

class Diffusion(nn.Module):
    def __init__(self, model: Net):
        super().__init__()
        assert model.has_weights
        self.model = model

    def forward(self, x):
        return self.model(x)
`, "Diffusion(model=Net(dim=64, learned=True)) | x:f32[B,64] | trial | f32[B,64]\nNet(dim=64) | x:f32[B,64] | trial | f32[B,64]"},
	{"a number of actions", header + `
import gymnasium as gym

class Policy(nn.Module):
    def __init__(self, obs_space, action_space: gym.spaces.Discrete, lr_schedule, h, w):
        super().__init__()
        self.fc = nn.Linear(gym.spaces.flatdim(obs_space), int(action_space.n * (lr_schedule(1) > 0)))
        self.size = h * w

    def forward(self, obs):
        return self.fc(obs).reshape(-1, 4 * self.size)
`, "Policy(obs_space=gymnasium.spaces.Box(-1.0, 1.0, (8,)), action_space=gymnasium.spaces.Discrete(4), lr_schedule=float, h=64, w=64) | obs:f32[B,8] | trial | f32[B//4096,16384]"},
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
	{"an input that gets an axis before it meets a layer", header + `
class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv1d(1, 64, 16, stride=8, padding=4)

    def forward(self, wave):
        return self.stem(wave.unsqueeze(1))
`, "Coder() | wave:f32[B,T] | trial | f32[B,64,T//8]"},
	{"settings of a class of the file, under the name of a number", header + `
from dataclasses import dataclass

@dataclass
class Sizes:
    in_dim: int = 6
    out_dim: int = 9

class Net(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Linear(c.in_dim, c.out_dim)

    def forward(self, x):
        return self.fc(x)
`, "Net(c=Sizes()) | x:f32[B,6] | trial | f32[B,9]"},
	{"settings under the name of a number", header + `
class Net(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Linear(c.in_dim, 8)

    def forward(self, x):
        return self.fc(x)
`, "Net(c=types.SimpleNamespace(in_dim=64)) | x:f32[B,64] | trial | f32[B,8]"},
	{"an autograd.Function whose context is set up apart", header + `
class Step(torch.autograd.Function):
    @staticmethod
    def forward(tokens):
        return tokens.float().mean(1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass
`, "Step.apply | tokens:i64[B,T] | trial | f32[B]"},
	{"one dictionary for each picture", header + `
class Matcher(nn.Module):
    def forward(self, outputs, targets):
        n = outputs["logits"].shape[1]
        ids = torch.cat([v["labels"] for v in targets])
        boxes = torch.cat([v["boxes"] for v in targets])
        return torch.cdist(outputs["boxes"].reshape(-1, 4), boxes), outputs["logits"].reshape(-1, 7)[:, ids], n
`, `Matcher() | outputs={"logits": f32[B,C,H,W], "boxes": f32[N,4]} targets=[{"labels": i64[B], "boxes": f32[N,4]}, {"labels": i64[B], "boxes": f32[N,4]}] | trial | ` +
		"(f32[N,2*N], f32[(B*C*H*W)//7,2*B], int=C)"},
	{"an input that is an object", header + `
class Net(nn.Module):
    def __init__(self, n_feat, n_class):
        super().__init__()
        self.a, self.b = nn.Linear(n_feat, 16), nn.Linear(16, n_class)

    def forward(self, data):
        x, (src, dst) = data.x, data.edge_index
        h = self.a(x)
        return self.b(torch.zeros_like(h).index_add_(0, dst, h[src]))
`, "Net(n_feat=4, n_class=10) | data=types.SimpleNamespace(x=f32[B,4], edge_index=i64[2,E]) | trial | f32[B,10]"},
	{"an input that is unpacked", header + `
class Net(nn.Module):
    def __init__(self, n_class):
        super().__init__()
        self.a = nn.Linear(16, n_class)

    def forward(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.a(x), y)
`, "Net(n_class=10) | batch=(f32[B,16], i64[B]) | trial | f32[]"},
	{"keywords that a constructor takes by their names", header + `
class Net(nn.Module):
    def __init__(self, **kwargs):
        super().__init__()
        self.a = nn.Linear(kwargs.get("in_dim", 8), kwargs["hidden_dim"])
        self.drop = nn.Dropout(kwargs["dropout"])

    def forward(self, x):
        return self.drop(self.a(x))
`, "Net(hidden_dim=64, dropout=0.1) | x:f32[B,8] | trial | f32[B,64]"},
	{"inputs whose names tell forms that do not fit together", header + `
class Attack(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, images, labels):
        return nn.functional.cross_entropy(self.model(images), labels)
`, "Attack(model=torch.nn.Identity()) | images:f32[B,C] labels:i64[B] | trial | f32[]"},
	{"settings that another file reads", "from other import Setup\n" + header + `
class Net(nn.Module, Setup):
    def __init__(self, config, dataset, options):
        super().__init__()
        self.set_up(config, dataset, options)
        self.a = nn.Linear(config["dim"], self.n + options.depth)

    def forward(self, x):
        return self.a(x)
`, "Net(config={\"dim\": 64, 'USER_FIELD': 'user_field'}, dataset=types.SimpleNamespace(num=lambda *given, **named: 8), " +
		"options=types.SimpleNamespace(depth=2, hidden_size=64)) | x:f32[B,64] | trial | f32[B,74]"},
	{"a parameter that is called where nothing is told of it", "from other import initialise\n" + header + `
class Net(nn.Module):
    def __init__(self, dim, starts):
        super().__init__()
        self.a = nn.Linear(dim, 8)
        initialise(self.a, starts)

    def forward(self, x):
        return self.a(x)
`, "Net(dim=64, starts=lambda x, *others, **named: x) | x:f32[B,64] | trial | f32[B,8]"},
	{"words that a message lists, and what names an activation", "from other import chosen\n" + header + `
class Net(nn.Module):
    def __init__(self, way: str, activation: str):
        super().__init__()
        chosen(way)
        self.act = nn.ModuleDict({"relu": nn.ReLU()})[activation]

    def forward(self, x):
        return self.act(x)
`, "Net(way='mean', activation='relu') | x:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"settings of the file that need values", header + `
import dataclasses

@dataclasses.dataclass
class ModelArgs:
    dim: int
    norm_eps: float
    depth: int = 2

class Net(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.a = nn.LayerNorm(args.dim, eps=args.norm_eps)

    def forward(self, x):
        return self.a(x)
`, "Net(args=ModelArgs(dim=64, norm_eps=1e-05)) | x:f32[B,T,64] | trial | f32[B,T,64]"},
	{"numbers of layers", header + `
class Net(nn.Module):
    def __init__(self, layer_size, stack_size):
        super().__init__()
        self.stack = nn.ModuleList([nn.Conv1d(4, 4, 2, dilation=2 ** i) for _ in range(stack_size) for i in range(layer_size)])

    def forward(self, x):
        for layer in self.stack:
            x = layer(x)
        return x
`, "Net(layer_size=2, stack_size=2) | x:f32[B,4,T] | trial | f32[B,4,T-6]"},
	{"a state that is the input", header + `
class Policy(nn.Module):
    def __init__(self, state_dim, action_dim):
        super().__init__()
        self.a = nn.Linear(state_dim, action_dim)

    def forward(self, state):
        return self.a(state)
`, "Policy(state_dim=64, action_dim=4) | state:f32[B,64] | trial | f32[B,4]"},
	{"a dictionary of which no key is asked", header + `
class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 1)

    def forward(self, x: dict[str, torch.Tensor]):
        return [self.a(v) for v in x.values()][-1]
`, `Pyramid() | x={"a": f32[B,3,H,W], "b": f32[B,3,H,W]} | trial | f32[B,8,H,W]`},
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
	{"a forward without self", header + `
class Loss(nn.Module):
    @staticmethod
    def forward(first, second):
        return (first - second).abs().mean()
`, "Loss() | first:f32[B,C,H,W] second:f32[B,C,H,W] | trial | f32[]"},
	{"inputs of any name", header + `
class Score(nn.Module):
    def forward(self, **kwargs):
        return kwargs["first"] * kwargs["second"]
`, "Score() | first:f32[B,C,H,W] second:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"inputs that another function takes", header + `
class Net(nn.Module):
    def forward(self, **inputs):
        return self.add(**inputs)

    def add(self, one, other):
        return one + other
`, "Net() | one:f32[B,C,H,W] other:f32[B,C,H,W] | trial | f32[B,C,H,W]"},
	{"keywords of a base whose names tell nothing", header + `
class Base(nn.Module):
    def __init__(self, chunk_length):
        super().__init__()
        self.fc = nn.Linear(4, chunk_length)

class Net(Base):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def forward(self, x):
        return self.fc(x)
`, "Net(chunk_length=64) | x:f32[B,4] | trial | f32[B,64]"},
	{"one of the texts that a message lists", header + `
from other import check

class Net(nn.Module):
    def __init__(self, act):
        super().__init__()
        check(act in ACTS, f"'{act}' is not in {ACTS}.")

    def forward(self, x):
        return F.conv2d(x, torch.zeros(4, 3, 1, 1))

ACTS = ["swish", "mish"]
`, "Net(act='swish') | x:f32[B,3,H,W] | trial | f32[B,4,H,W]"},
	{"a text by which a table has something", header + `
SIZES = {"small": 4, "large": 8}

class Net(nn.Module):
    def __init__(self, variant):
        super().__init__()
        self.fc = nn.Linear(4, SIZES[variant])

    def forward(self, x):
        return self.fc(x)
`, "Net(variant=\"small\") | x:f32[B,4] | trial | f32[B,4]"},
	{"the name of an activation", header + `
class Net(nn.Module):
    def __init__(self, act_name):
        super().__init__()
        self.fc, self.act = nn.Linear(4, 2), getattr(nn, act_name)()

    def forward(self, x):
        return self.act(self.fc(x))
`, "Net(act_name='ReLU') | x:f32[B,4] | trial | f32[B,2]"},
	{"modules that are given more than an input", header + `
class Net(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x, mask=None):
        for b in self.blocks:
            x = b(x, mask)
        return F.conv2d(x, torch.zeros(4, 3, 1, 1))
`, "Net(blocks=[" + srctext.AnyModule + ", " + srctext.AnyModule + "]) | x:f32[B,3,H,W] | trial | f32[B,4,H,W]"},
	{"a module that is called by keywords", header + `
class Net(nn.Module):
    def __init__(self, attn):
        super().__init__()
        self.attn, self.fc = attn, nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.attn(query=x, key=x))
`, "Net(attn=lambda *given, **named: [*given, *named.values()][0]) | x:f32[B,4] | trial | f32[B,2]"},
	{"a layer that has what is asked for", header + `
class Net(nn.Module):
    def __init__(self, proj):
        super().__init__()
        self.conv, self.proj = nn.Conv2d(proj.out_channels, 2, 1), proj

    def forward(self, x):
        return self.conv(self.proj(x))
`, "Net(proj=torch.nn.Conv2d(64, 64, 1)) | x:f32[B,64,H,W] | trial | f32[B,2,H,W]"},
	{"a list of shapes", header + `
class Net(nn.Module):
    def __init__(self, shapes):
        super().__init__()
        self.fc = nn.Linear(4, shapes[0][0])

    def forward(self, x):
        return self.fc(x)
`, "Net(shapes=[[8], [8]]) | x:f32[B,4] | trial | f32[B,8]"},
	{"types that are made of others", header + `
from typing import Callable, List, Tuple

Schedule = Callable[[float], float]

class Net(nn.Module):
    def __init__(self, metadata: Tuple[List[str], List[Tuple[str, str]]], schedule: Schedule):
        super().__init__()
        names, edges = metadata
        self.fc, self.schedule = nn.Linear(4, len(names) * len(edges[0])), schedule

    def forward(self, x):
        return self.fc(x) * self.schedule(0.5)
`, "Net(metadata=(['a', 'b'], [('a', 'b'), ('a', 'b')]), schedule=torch.nn.Identity()) | x:f32[B,4] | trial | f32[B,4]"},
	{"inputs of different ranks", header + `
class Net(nn.Module):
    def forward(self, a, b):
        x = a.permute(0, 2, 3, 1)
        return x + b.unsqueeze(1).unsqueeze(1).expand(a.size(0), a.size(2), a.size(3), b.size(1))
`, "Net() | a:f32[B,C,H,W] b:f32[B,C] | trial | f32[B,H,W,C]"},
	{"a rank that the program asks for in words", header + `
from other import check

class Net(nn.Module):
    def forward(self, x):
        check(x.dim() == 3, f"x must be a 3D tensor, not {x.dim()}")
        return x @ x.mT
`, "Net() | x:f32[B,T,C] | trial | f32[B,T,T]"},
	{"a metric", header + `
from torchmetrics import Metric

class Mean(Metric):
    def forward(self, x):
        return x.mean(1)
`, "Mean() | x:f32[B,C,H,W] | trial | f32[B,H,W]"},
	{"an input that may be left out, but not here", header + `
class Net(nn.Module):
    def forward(self, x, label=None, scale=None):
        if label is None:
            raise ValueError("a label is required")
        return F.conv2d(x, torch.zeros(4, 3, 1, 1)).mean((1, 2, 3)) * label
`, "Net() | x:f32[B,3,H,W] label:i64[B] | trial | f32[B]"},
	{"the features of a graph's nodes", header + `
class Net(nn.Module):
    def forward(self, x, edge_index, batch):
        out = torch.zeros_like(x).index_add_(0, edge_index[1], x[edge_index[0]])
        return torch.zeros(4, x.size(1)).index_add_(0, batch, out)
`, "Net() | x:f32[B,C] edge_index:i64[2,E] batch:i64[B] | trial | f32[4,C]"},
	{"a layer that has what is asked for, kept by another function", header + `
from other import keep

class Net(nn.Module):
    def __init__(self, proj):
        super().__init__()
        keep(self, locals())

    def forward(self, x):
        return self.proj(x) * self.proj.out_channels
`, "Net(proj=torch.nn.Conv2d(64, 64, 1)) | x:f32[B,64,H,W] | trial | f32[B,64,H,W]"},
	{"an instance that does something", header + `
class Distance:
    def far(self, x):
        raise NotImplementedError

class Near(Distance):
    def __init__(self, by):
        self.by = by

class Far(Distance):
    def far(self, x):
        return x.norm(dim=-1)

class Net(nn.Module):
    def __init__(self, distance: Distance):
        super().__init__()
        self.distance = distance

    def forward(self, x):
        b, c = x.shape
        return self.distance.far(x)
`, "Net(distance=Far()) | x:f32[B,C] | trial | f32[B]"},
	{"a name that another file does not find", header + `
from wants import helper

class Net(nn.Module):
    def forward(self, x):
        return F.conv2d(x, torch.zeros(4, 3, 1, 1))
`, "Net() | x:f32[B,3,H,W] | trial | f32[B,4,H,W]"},
	{"an attribute with the name of a parameter", header + `
class Net(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.fc, self.dropout = nn.Linear(4, 2), nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.fc(x))
`, "Net(dropout=0.1) | x:f32[B,4] | trial | f32[B,2]"},
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
	{"a number where so many are unpacked", header + `
class Net(nn.Module):
    def __init__(self, in_channels, rates):
        super().__init__()
        one, two, three = tuple(rates)
        self.a = nn.Conv2d(in_channels, 16, 3, padding=one, dilation=one)
        self.b = nn.Conv2d(16, 4, 3, padding=two, dilation=three)

    def forward(self, x):
        return self.b(self.a(x))
`, "Net(in_channels=64, rates=[8, 8, 8]) | x:f32[B,64,H,W] | trial | f32[B,4,H,W]"},
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
}

// files are the program with those that it may import.
func (p *program) files() map[string]string {
	return map[string]string{"net.py": p.text, "other.py": otherFile, "wants.py": "from other import helper, lacks\n"}
}

// casesOfRemedies names the program of each row of remedyTable that runs with it alone, or with it last.
var casesOfRemedies = map[string]string{
	"keywords":                 "keywords that another class asks for, by way of a decorated constructor",
	"channels of input":        "channels that the run asks for",
	"equal sizes":              "a number for the only argument of another one",
	"part of an object":        "a list in a dictionary, for what is added to one",
	"list to add to":           "a list for what is added to one",
	"modules in a list":        "modules that are called",
	"dictionary":               "a dictionary for keywords",
	"key of a table":           "a key of a table of the program",
	"two objects in a list":    "two objects where one has nothing to be joined",
	"tensor for another kind":  "a tensor where one is asked for its sizes",
	"fields of settings":       "fields of settings whose defaults fit nothing",
	"space of several":         "a space of several by name",
	"objects in a list":        "objects of a class of the package",
	"more parts":               "settings that another file reads",
	"several numbers":          "a number where there should be several",
	"as many numbers":          "a number where so many are unpacked",
	"keys of an input":         "an input whose parts have keys",
	"attributes of an input":   "an input that is an object",
	"masks":                    "a mask that cannot be None",
	"optional input":           "an input that may be left out, but not here",
	"listed text":              "one of the texts that a message lists",
	"condition":                "a list of a length",
	"numbers apart":            "two numbers of which one is more",
	"flag of an argument":      "a flag for which another class asks",
	"optional argument":        "what a call refuses to do without, in quotes",
	"member":                   "an object with tensors, by the class that the annotation names",
	"module of several inputs": "modules that are given more than an input",
	"sizes of their own":       "features of widths of their own",
	"all optional arguments":   "what is None by default, where nothing names it",
	"attribute of a module":    "a module with attributes",
	"module for an instance":   "a module for an instance that a constructor of another file refuses",
	"value of another kind":    "a parameter that is called where nothing is told of it",
	"another space":            "a space that another function refuses",
	"space of the place":       "spaces of which the constructor refuses one",
	"another tensor":           "a tensor as the program says it is",
	"list of tensors":          "a list of pictures, as many as there are layers",
	"plain objects":            "an object that cannot be made, by its attributes",
}

// Each remedy has a program that runs with it, and none has that of another.
func TestEveryRemedyHasACase(t *testing.T) {
	programs := map[string]map[string]string{}
	for _, list := range [][]program{plainPrograms, remedyPrograms, madePrograms, conditionPrograms, tablePrograms} {
		for _, p := range list {
			programs[p.name] = p.files()
		}
	}
	for _, p := range elementPrograms {
		programs[p.name] = p.files
	}
	used := map[string]string{}
	for _, row := range remedyTable {
		name := casesOfRemedies[row.name]
		files := programs[name]
		if row.why == "" {
			t.Errorf("the remedy %q has no reason for its place", row.name)
		}
		switch {
		case name == "":
			t.Errorf("casesOfRemedies names no program for the remedy %q", row.name)
			continue
		case files == nil:
			t.Errorf("the remedy %q: there is no program %q", row.name, name)
			continue
		case used[name] != "":
			t.Errorf("the remedies %q and %q have the same program %q: each needs its own", used[name], row.name, name)
			continue
		}
		used[name] = row.name
		file := "net.py"
		if files[file] == "" {
			file = "zoo/nets/more/net.py"
		}
		known := &Winners{}
		discoveredWith(t, files, file, known)
		applied := false
		for _, w := range known.list {
			applied = applied || slices.Contains(w.made.rows, row.name)
		}
		if !applied {
			t.Errorf("the program %q runs without its remedy %q", name, row.name)
		}
	}
	for name := range casesOfRemedies {
		if !slices.ContainsFunc(remedyTable, func(r remedy) bool { return r.name == name }) {
			t.Errorf("casesOfRemedies has %q, which is no remedy", name)
		}
	}
}

// What a run that failed tells of the arguments, and what there is where nothing tells of them.
func TestDiscoverRemedies(t *testing.T) {
	for _, c := range remedyPrograms {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := discovered(t, c.files()); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A class that leaves a part of its forward to others is tried as one of those that have it.
// TestDiscoverFromOtherFiles: what other files of a package make, or derive from a class that leaves its forward open.
func TestDiscoverFromOtherFiles(t *testing.T) {
	for _, c := range []struct{ name, net, other, want string }{
		{"a call with numbers", header + `
class Net(nn.Module):
    def __init__(self, kind, sizes):
        super().__init__()
        if kind not in WEIGHTS:
            raise KeyError(kind)
        self.fc = nn.Linear(sizes[0], sizes[1] * sizes[2])

    def forward(self, x):
        return self.fc(x)

WEIGHTS = dict(large=1)
`, "from .net import Net\n\ndef build(kind):\n    return Net(kind, [1, 2, 3])\n\nmodel = Net('large', [4, 5, 6])\n", "Net('large', [4, 5, 6]) | x:f32[B,4] | trial | f32[B,30]"},
		{"settings that are imported for annotations alone", header + `
class Net(nn.Module):
    def __init__(self, options: "Options"):
        super().__init__()
        self.fc = nn.Linear(options.width(4), 2)

    def forward(self, x):
        return self.fc(x)
`, "class Options:\n    def __init__(self, scale=1):\n        self.scale = scale\n\n    def width(self, n):\n        return n * self.scale\n",
			"Net(options=p.other.Options()) | x:f32[B,4] | trial | f32[B,2]"},
		{"a class with an abstract method", header + `
from abc import ABC, abstractmethod

class Base(nn.Module, ABC):
    @abstractmethod
    def size(self): ...

    def forward(self, x):
        return x.expand(self.size(), -1, -1)
`, header + `
from .net import Base

class Two(Base):
    def size(self):
        return 2
`, "p.other.Two() | x:f32[B,C] | trial | f32[2,B,C]"},
		{"a class that derives from an abstract one", header + `
class Base(nn.Module):
    def forward(self, x):
        raise NotImplementedError
`, header + `
from .net import Base

class Half(Base):
    def forward(self, x):
        return F.conv2d(x, torch.zeros(2, 3, 1, 1))
`, "p.other.Half() | x:f32[B,3,H,W] | trial | f32[B,2,H,W]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &check.Session{FS: reads.NewMemory(map[string]string{"p/__init__.py": "", "p/net.py": c.net, "p/other.py": c.other})}
			d, err := Discover(t.Context(), s, "p/net.py", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(ranOf(d)) != 1 || ranOf(d)[0].Err != nil {
				t.Fatal(d.WhyNot, failedOf(d), len(ranOf(d)))
			}
			r := ranOf(d)[0].Result
			if got := strings.Join([]string{r.Target.Run.Entry, strings.Join(r.Target.Run.Args, " "), r.Target.How, r.OutputType},
				" | "); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

func TestDiscoverDerived(t *testing.T) {
	base := header + `
class Base(nn.Module):
    def forward(self, x):
        return self.compute(x)

    def compute(self, x):
        raise NotImplementedError
`
	for name, files := range map[string]map[string]string{
		"beside it": {"pkg/base.py": base,
			"pkg/mean.py": "from .base import Base\n\n\nclass Mean(Base):\n    def compute(self, x):\n        return x.mean(1)\n"},
		"in a folder": {"pkg/parts/base.py": base,
			"pkg/mean.py": "from .parts.base import Base\n\n\nclass Mean(Base):\n    def compute(self, x):\n        return x.mean(1)\n"},
		"in the package itself": {
			"pkg/parts/base.py": base, "pkg/mean/__init__.py": "from ..parts.base import Base\n\n\nclass Mean(Base):\n    def compute(self, x):\n        return x.mean(1)\n",
		},
	} {
		files["pkg/__init__.py"], files["pkg/parts/__init__.py"] = "", ""
		file := "pkg/base.py"
		if files[file] == "" {
			file = "pkg/parts/base.py"
		}
		d, err := Discover(t.Context(), &check.Session{FS: reads.NewMemory(files)}, file, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(ranOf(d)) != 1 || ranOf(d)[0].Result.Target.Run.Entry != "pkg.mean.Mean()" || ranOf(d)[0].Result.OutputType != "f32[B,H,W]" {
			t.Errorf("%s: %d entries, %s", name, len(ranOf(d)), d.WhyNot)
		}
	}
}

// A class whose base another file defines is tried where that is a model: its bases lead to a framework.
func TestBasesOfOtherFiles(t *testing.T) {
	net := "from .base import Base\n\n\nclass Net(Base):\n    def __init__(self, width=4):\n        super().__init__(width)\n"
	const module = "import torch\n\n\nclass Base(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.fc = torch.nn.Linear(n, 3)\n\n" +
		"    def forward(self, x):\n        return self.fc(x)\n"
	for name, c := range map[string]struct {
		files map[string]string
		runs  bool
	}{
		"a framework":  {map[string]string{"p/base.py": module}, true},
		"in a package": {map[string]string{"p/base/__init__.py": module}, true},
		"handed on":    {map[string]string{"p/base.py": "from .parts import *\n", "p/parts.py": module}, true},
		"none":         {map[string]string{"p/base.py": "class Base:\n    def __init__(self, n):\n        self.n = n\n"}, false},
		"one that imports none": {map[string]string{"p/base.py": "from .net import Net\nfrom .parts import Base\n",
			"p/parts.py": "class Base(dict):\n    pass\n"}, false},
		"not there": {map[string]string{}, false},
	} {
		c.files["p/__init__.py"], c.files["p/net.py"] = "", net
		d, err := Discover(t.Context(), &check.Session{FS: reads.NewMemory(c.files)}, "p/net.py", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Runs > 0 != c.runs {
			t.Errorf("%s: %d runs", name, d.Runs)
		}
	}
}
