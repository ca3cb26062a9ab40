package diag

// This file documents the codes of dtypes, types and devices: SC2xx.

var typeCodes = [...]CodeInfo{
	{
		Code: DTypeMismatch, Severity: Error, Title: "dtypes do not fit together",
		Doc: "An operation got elements of a type that it does not take, or two operands whose types it does not " +
			"convert: indices that are not integers, a half-precision input for float32 weights, a loss whose " +
			"target has the wrong type. Convert at the place where the data enters (long(), float(), to(dtype)).",
		Bad: `# run: --arg 'ids:f32[B,T]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 64)

    def forward(self, ids):
        return self.embed(ids)
`,
		Good: `# run: --arg 'ids:f32[B,T]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 64)

    def forward(self, ids):
        return self.embed(ids.long())
`,
	},
	{
		Code: TypeMismatch, Severity: Error, Title: "argument of the wrong type",
		Doc: "A function or an operator got a Python value of a type that it does not take, such as a list where a " +
			"tensor is needed or None where a layer returned nothing.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    return torch.cat((x, [1.0]), dim=1)
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    ones = torch.ones(x.size(0), 1)
    return torch.cat((x, ones), dim=1)
`,
	},
	{
		Code: DeviceMismatch, Severity: Error, Title: "tensors on different devices",
		Doc: "An operation works on tensors of one device, or of a certain device, and got another. Move the " +
			"tensor with to(device) first; for NumPy, with cpu(). The devices of both must be known: what the program makes without " +
			"naming a device is on the CPU, unless it asks whether there is a GPU; arguments and the entry's parameters may be anywhere.",
		Bad: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    x = x.cuda()
    return x + torch.arange(8)
`,
		Good: `# run: --arg 'x:f32[B,8]'
import torch


def forward(x):
    x = x.cuda()
    return x + torch.arange(8, device=x.device)
`,
	},
}
