package diag

// This file documents the codes of names, attributes, calls and values: SC3xx.

var nameCodes = [...]CodeInfo{
	{
		Code: UnknownName, Severity: Error, Title: "name is not defined",
		Doc: "A name is read that no assignment, import or parameter has given a value on this path. Misspelt " +
			"names get a suggestion.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    hidden = torch.relu(x)
    return hiden
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    hidden = torch.relu(x)
    return hidden
`,
	},
	{
		Code: UnknownAttribute, Severity: Error, Title: "no such attribute",
		Doc: "An object has no attribute of this name: a layer that __init__ does not make, or a method that the " +
			"class does not have. Names that are close are suggested.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc_1(x)
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc1(x)
`,
	},
	{
		Code: BadCall, Severity: Error, Title: "arguments do not fit the signature",
		Doc: "A call passes too many arguments, leaves out a required one, or names a parameter that the function " +
			"or layer does not have.",
		Bad: `# run: --arg 'x:f32[B,3,H,W]'
import torch.nn as nn


pool = nn.MaxPool2d(2, strides=2)


def forward(x):
    return pool(x)
`,
		Good: `# run: --arg 'x:f32[B,3,H,W]'
import torch.nn as nn


pool = nn.MaxPool2d(2, stride=2)


def forward(x):
    return pool(x)
`,
	},
	{
		Code: UncaughtRaise, Severity: Error, Title: "uncaught exception",
		Doc: "The program itself raises an exception (raise or a failing assert) on the way from the entry, and " +
			"nothing catches it. With the arguments that were given this cannot run.",
		Bad: `# run: --arg 'x:f32[B,T,64]'
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, width=64, heads=6):
        super().__init__()
        if width % heads != 0:
            raise ValueError(f"width {width} is not divisible by {heads} heads")
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        return self.qkv(x)
`,
		Good: `# run: --arg 'x:f32[B,T,64]'
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, width=64, heads=8):
        super().__init__()
        if width % heads != 0:
            raise ValueError(f"width {width} is not divisible by {heads} heads")
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        return self.qkv(x)
`,
	},
	{
		Code: ImportFailed, Severity: Error, Title: "name cannot be imported",
		Doc: "A module was found, but what is imported from it is not there; or a script (--script) has a relative " +
			"import. A module that is not found at all is no error, see SC902.",
		Bad: `# run: --script
import torch

from .layers import Block  # a script is not part of a package

print(torch.ones(2))
`,
		Good: `# run: --script
import torch

from torch.nn import ReLU as Block

print(Block()(torch.ones(2)))
`,
	},
	{
		Code: BadValue, Severity: Error, Title: "value is not accepted",
		Doc: "A function refuses the value of an argument, though its type is right: channels that are not " +
			"divisible by groups, a mode that does not exist, a probability above one.",
		Bad: `# run: --arg 'x:f32[B,8,16]'
import torch.nn as nn


conv = nn.Conv1d(8, 12, 3, groups=5)


def forward(x):
    return conv(x)
`,
		Good: `# run: --arg 'x:f32[B,8,16]'
import torch.nn as nn


conv = nn.Conv1d(8, 12, 3, groups=4)


def forward(x):
    return conv(x)
`,
	},
	{
		Code: BadIndex, Severity: Error, Title: "index or key is not in the container",
		Doc: "A list or tuple is indexed outside its length, or a dictionary has no such key. For modules kept in " +
			"ModuleList and ModuleDict, too.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch.nn as nn


layers = {"relu": nn.ReLU(), "tanh": nn.Tanh()}


def forward(x):
    return layers["gelu"](x)
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch.nn as nn


layers = {"relu": nn.ReLU(), "tanh": nn.Tanh()}


def forward(x):
    return layers["relu"](x)
`,
	},
	{
		Code: AutogradFault, Severity: Error, Title: "autograd refuses this",
		Doc: "A leaf that requires gradients is changed in place where they are recorded; backward() is called of a tensor that has no graph, as no parameter has a part in it or it was made under no_grad. " +
			"It is refused, too, for more than one element without an argument, and for a graph whose saved tensors an earlier backward() has dropped. " +
			"So it is for a graph that keeps a tensor which was written in place since, also by an optimiser's step (the rule of PyTorch's version counters). It is reported where that is certain: of what " +
			"arguments of the entry, branches and loops give nothing is said.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch
import torch.nn as nn

fc = nn.Linear(8, 1)


def forward(x):
    with torch.no_grad():
        loss = fc(x).mean()
    loss.backward()
    return loss
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch.nn as nn

fc = nn.Linear(8, 1)


def forward(x):
    loss = fc(x).mean()
    loss.backward()
    return loss
`,
	},
}
