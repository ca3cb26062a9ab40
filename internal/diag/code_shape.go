package diag

// This file documents the codes of shapes: SC1xx.

var shapeCodes = [...]CodeInfo{
	{
		Code: ShapeMismatch, Severity: Error, Title: "shapes do not fit together",
		Doc: "Sizes that an operation needs to be equal differ: the features of a Linear layer and of its input, " +
			"the inner sizes of a matrix product, sizes to be broadcast or concatenated. The lines that made each " +
			"of the two sizes are shown; one of them is wrong.",
		Bad: `# run: --arg 'x:f32[B,3,8,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 8, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(x.flatten(1))
`,
		Good: `# run: --arg 'x:f32[B,3,8,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 8 * 8, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(x.flatten(1))
`,
	},
	{
		Code: RankMismatch, Severity: Error, Title: "wrong number of dimensions",
		Doc: "An operation got a tensor with more or fewer dimensions than it works on, or a permutation names " +
			"another number of dimensions than the tensor has. Often a batch dimension is missing (unsqueeze), " +
			"was not flattened, or a function for batches is called where a general one is meant.",
		Bad: `# run: --arg 'a:f32[B,T,8]' --arg 'b:f32[8,4]'
import torch


def forward(a, b):
    return torch.bmm(a, b)
`,
		Good: `# run: --arg 'a:f32[B,T,8]' --arg 'b:f32[8,4]'
import torch


def forward(a, b):
    return a @ b
`,
	},
	{
		Code: DimOutOfRange, Severity: Error, Title: "dimension or index out of range",
		Doc: "A dim argument, or an index into a dimension, lies outside what the tensor has. Dimensions count " +
			"from 0, or from -1 at the end. Before PyTorch adds or drops a dimension (stack, squeeze, mean " +
			"without keepdim) the numbers of those after it are others.",
		Bad: `# run: --arg 'x:f32[B,T]'
import torch


def forward(x):
    return torch.softmax(x, dim=2)
`,
		Good: `# run: --arg 'x:f32[B,T]'
import torch


def forward(x):
    return torch.softmax(x, dim=1)
`,
	},
	{
		Code: InvalidSize, Severity: Error, Title: "invalid size",
		Doc: "An operation would make a dimension of negative or forbidden size, or needs a size with a property " +
			"that it does not have: a kernel that is larger than its padded input, a split that does not come out " +
			"even, a negative length. Mostly the input is too small for the number of layers that halve it, or a " +
			"padding is missing.",
		Bad: `# run: --arg 'x:f32[B,3,4,4]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, kernel_size=7)

    def forward(self, x):
        return self.conv(x)
`,
		Good: `# run: --arg 'x:f32[B,3,4,4]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, kernel_size=7, padding=3)

    def forward(self, x):
        return self.conv(x)
`,
	},
	{
		Code: ReshapeMismatch, Severity: Error, Title: "reshape to another number of elements",
		Doc: "view, reshape or unflatten must keep the number of elements, and the sizes asked for have another " +
			"product than the tensor has elements. Symbols are taken into account: the error means that no value " +
			"of the free sizes makes it right. view also fails where the tensor's strides do not allow it; " +
			"reshape copies then.",
		Bad: `# run: --arg 'x:f32[B,16,5,5]'
import torch


def forward(x):
    return x.view(x.size(0), 16 * 4 * 4)
`,
		Good: `# run: --arg 'x:f32[B,16,5,5]'
import torch


def forward(x):
    return x.view(x.size(0), 16 * 5 * 5)
`,
	},
}
