package diag

// This file documents the codes of the dimension lint: SC4xx. They are warnings:
// the program runs, but hardly does what is meant.

var lintCodes = [...]CodeInfo{
	{
		Code: BatchMixed, Severity: Warning, Title: "reshape mixes the samples of a batch",
		Doc: "view and reshape keep the elements in their order in memory. Where the rows of the result begin in the middle " +
			"of a sample, or the batch and another axis only seem to change places, every row holds parts of several samples. " +
			"It is reported when the sizes leave no other reading: a row is neither a whole number of samples nor an even part of " +
			"one, or an axis of the input turns up elsewhere. Joining axes (B*T), splitting them (windows, heads, groups) and " +
			"rearrangements by transpose and permute are right.",
		Bad: `# run: --arg 'x:f32[B,16,5,5]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1)
        self.fc = nn.Linear(256, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(x.view(-1, 256))
`,
		Good: `# run: --arg 'x:f32[B,16,5,5]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1)
        self.fc = nn.Linear(400, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(x.view(x.size(0), -1))
`,
	},
	{
		Code: ReshapeReorders, Severity: Warning, Title: "reshape where the axes should be swapped",
		Doc: "An axis of the input turns up at another place of the result of view or reshape. These do not move elements: " +
			"[T,C] viewed as [heads,T,C/heads] cuts the rows of T into pieces and deals them out. Split the axis where it stands, " +
			"view(T,heads,C/heads), and transpose then. Axes that were padded, cut or concatenated before are left out, since the shift " +
			"of relative positions in attention reshapes so on purpose. A reshape behind permute() that cuts an axis in two, where whole axes in another order " +
			"would make its sizes, is reported, too.",
		Bad: `# run: --arg 'x:f32[B,T,64]'
import torch


def forward(x):
    b, t, c = x.shape
    return x.view(b, 8, t, c // 8)
`,
		Good: `# run: --arg 'x:f32[B,T,64]'
import torch


def forward(x):
    b, t, c = x.shape
    return x.view(b, t, 8, c // 8).transpose(1, 2)
`,
	},
	{
		Code: BothGrow, Severity: Warning, Title: "broadcasting makes both operands larger",
		Doc: "A column [N,1] meets a vector [N] of the same things, and the result is the matrix [N,N] of all pairs. Mostly a layer with " +
			"one output should have been squeezed. Axes of size 1 that were made for it (None in a subscript, unsqueeze, " +
			"keepdim=True) are left alone, but for a comparison with what a reduction kept: argmax(1, keepdim=True) == target. Where nothing but the number of elements says that both are the " +
			"same things, as in scripts, it is reported when all pairs are summed up.",
		Bad: `# run: --arg 'x:f32[B,8]' --arg 'y:f32[B]'
import torch.nn as nn

fc = nn.Linear(8, 1)


def forward(x, y):
    return ((fc(x) - y) ** 2).mean()
`,
		Good: `# run: --arg 'x:f32[B,8]' --arg 'y:f32[B]'
import torch.nn as nn

fc = nn.Linear(8, 1)


def forward(x, y):
    return ((fc(x).squeeze(-1) - y) ** 2).mean()
`,
	},
	{
		Code: LossBroadcast, Severity: Warning, Title: "loss of different shapes",
		Doc: "mse_loss, l1_loss, smooth_l1_loss and huber_loss broadcast their arguments. With [N,1] and [N] they compare every prediction with " +
			"every target, and the model learns the mean. PyTorch warns when it runs: \"Using a target size that is different to the " +
			"input size\". A target of one element is left alone. It is also reported where weights of the elements, as a mask, meet a loss that is one number already: " +
			"(loss * mask).sum() / mask.sum() is the loss as it was.",
		Bad: `# run: --arg 'x:f32[B,8]' --arg 'y:f32[B]'
import torch.nn as nn
import torch.nn.functional as F

fc = nn.Linear(8, 1)


def forward(x, y):
    return F.mse_loss(fc(x), y)
`,
		Good: `# run: --arg 'x:f32[B,8]' --arg 'y:f32[B]'
import torch.nn as nn
import torch.nn.functional as F

fc = nn.Linear(8, 1)


def forward(x, y):
    return F.mse_loss(fc(x), y.unsqueeze(-1))
`,
	},
	{
		Code: AcrossBatch, Severity: Warning, Title: "softmax or normalize over the batch",
		Doc: "softmax, log_softmax, gumbel_softmax or normalize works along the axis that is the batch, so that what a sample gives depends on the " +
			"others. Which axis is the batch is derived: it comes to the front of a layer that has its batch there (a convolution, batch norm, " +
			"cross_entropy), or its size is called B or batch; and it reaches a result or a loss. Similarities of all " +
			"pairs of a batch, and weights by which samples are summed up, are left alone. It is also reported where the places of a sort or a choice along the batch " +
			"are used along another axis.",
		Bad: `# run: --arg 'x:f32[B,3,8,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 10, 8)

    def forward(self, x):
        return torch.softmax(self.conv(x).flatten(1), dim=0)
`,
		Good: `# run: --arg 'x:f32[B,3,8,8]'
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 10, 8)

    def forward(self, x):
        return torch.softmax(self.conv(x).flatten(1), dim=1)
`,
	},
	{
		Code: ImplicitDim, Severity: Warning, Title: "softmax without dim",
		Doc: "softmax, log_softmax or softmin is called without dim. PyTorch chooses dimension 0 for tensors of 0, 1 and 3 dimensions and 1 for " +
			"all others, and warns that the choice is deprecated. For a batch of sequences that is the batch.",
		Bad: `# run: --arg 'x:f32[B,10]'
import torch.nn.functional as F


def forward(x):
    return F.log_softmax(x)
`,
		Good: `# run: --arg 'x:f32[B,10]'
import torch.nn.functional as F


def forward(x):
    return F.log_softmax(x, dim=1)
`,
	},
	{
		Code: SqueezeBatch, Severity: Warning, Title: "squeeze() may drop the batch",
		Doc: "squeeze() without dim drops all dimensions of size 1, and the batch with them when it has one sample: the last batch of an epoch, or " +
			"a single input at inference. Name the dimension. It is reported where the axis is known to be the batch (see SC405), its size is " +
			"free, and another dimension is dropped for certain. A program that tests the size, or --assume 'B >= 2', silences it.",
		Bad: `# run: --arg 'x:f32[B,3,8,8]'
import torch.nn as nn

conv = nn.Conv2d(3, 10, 8)


def forward(x):
    return conv(x).squeeze()
`,
		Good: `# run: --arg 'x:f32[B,3,8,8]'
import torch.nn as nn

conv = nn.Conv2d(3, 10, 8)


def forward(x):
    return conv(x).flatten(1)
`,
	},
	{
		Code: FixedBatch, Severity: Warning, Title: "number in place of the batch",
		Doc: "view or reshape has a number where the size of the batch belongs. With the given sizes it agrees, or it is taken to; another batch, " +
			"as the last one of an epoch, fails or gets mixed. In reshapes only numbers written in the call itself are reported. Where an axis called B or " +
			"batch meets a size that is always the same number, as in zeros(1, 32, hidden) for the state of an LSTM, the operation is reported. So is a number in front of -1 where a named size belongs, which moves into the next axis.",
		Bad: `# run: --arg 'x:f32[32,3,8,8]'
import torch.nn as nn

conv = nn.Conv2d(3, 10, 8)


def forward(x):
    return conv(x).view(32, -1)
`,
		Good: `# run: --arg 'x:f32[32,3,8,8]'
import torch.nn as nn

conv = nn.Conv2d(3, 10, 8)


def forward(x):
    return conv(x).view(x.size(0), -1)
`,
	},
	{
		Code: SequenceIsBatch, Severity: Warning, Title: "batch taken for time",
		Doc: "A recurrent layer or an attention layer that was made without batch_first=True takes dimension 0 as time, and there the batch is (see " +
			"SC405). The shapes fit, but the layer connects different samples and keeps the steps of one apart.",
		Bad: `# run: --arg 'x:f32[B,T,16]'
import torch.nn as nn

lstm = nn.LSTM(16, 32)


def forward(x):
    out, _ = lstm(x)
    return out
`,
		Good: `# run: --arg 'x:f32[B,T,16]'
import torch.nn as nn

lstm = nn.LSTM(16, 32, batch_first=True)


def forward(x):
    out, _ = lstm(x)
    return out
`,
	},
	{
		Code: ProbabilityLoss, Severity: Warning, Title: "loss of probabilities",
		Doc: "cross_entropy gets the result of softmax, though it applies log_softmax itself: the gradients shrink, and the model hardly learns. " +
			"Or nll_loss gets it, which expects logarithms, or binary_cross_entropy_with_logits gets the result of sigmoid, which it applies itself.",
		Bad: `# run: --arg 'x:f32[B,10]' --arg 'y:i64[B]'
import torch.nn.functional as F


def forward(x, y):
    return F.cross_entropy(F.softmax(x, dim=1), y)
`,
		Good: `# run: --arg 'x:f32[B,10]' --arg 'y:i64[B]'
import torch.nn.functional as F


def forward(x, y):
    return F.cross_entropy(x, y)
`,
	},
	{
		Code: Coincidence, Severity: Warning, Title: "sizes that agree only by coincidence",
		Doc: "An operation pairs the batch with another axis of the same argument, so that the program works only where both happen to have one size: " +
			"a mask of [B,T] put against scores of [B,H,T,T], a transpose of the wrong two axes. It is reported where an axis of an argument is called B, " +
			"batch or the like. Or cat joins an axis of size 1, as unsqueeze makes it, beside one of free size: cat does not broadcast. Or a product of two [..., N, d] needs N to be d. Or a loss compares rows (time, batch) with targets (batch, time). " +
			"Or a square matrix meets the sums of its rows, which lie along its columns without keepdim=True. Or a sum of all elements is added to the sums of the rows of as large a matrix. " +
			"Or gather() has an index whose last axis unsqueeze made: it takes the first feature of each row, and no other. " +
			"The condition is in the contract, too. An assert of the program says that it is meant.",
		Bad: `# run: --arg 'q:f32[B,8,T,16]' --arg 'mask:bool[B,T]'
import torch


def forward(q, mask):
    scores = q @ q.transpose(-2, -1)
    scores = scores.masked_fill(~mask, -1e9)
    return torch.softmax(scores, dim=-1) @ q
`,
		Good: `# run: --arg 'q:f32[B,8,T,16]' --arg 'mask:bool[B,T]'
import torch


def forward(q, mask):
    scores = q @ q.transpose(-2, -1)
    scores = scores.masked_fill(~mask[:, None, None, :], -1e9)
    return torch.softmax(scores, dim=-1) @ q
`,
	},
	{
		Code: TiedSizes, Severity: Warning, Title: "declared size that can be one number only",
		Doc: "The type of an argument names a size, which stands for any number from 1 on. But the code works only where it is one number, or where two names are one size: " +
			"a product without its transpose needs S == 64, classes in the last axis T == C, a pooling that is forgotten T == 1. Where the condition is meant, the argument's type should say " +
			"it, with the number or the same name twice; an assert of the program or the key contract of the configuration says so, too. Multiples (H % 32 == 0), bounds and " +
			"products (H*W == 49) are conditions like any other, and no warning.",
		Bad: `# run: --arg 'q:f32[B,T,64]' --arg 'k:f32[B,S,64]'


def forward(q, k):
    return (q @ k).softmax(-1)
`,
		Good: `# run: --arg 'q:f32[B,T,64]' --arg 'k:f32[B,S,64]'


def forward(q, k):
    return (q @ k.transpose(1, 2)).softmax(-1)
`,
	},
	{
		Code: DrawnIndices, Severity: Warning, Title: "indices are drawn that are out of range",
		Doc: "torch.randint(0, K, …) draws numbers up to K - 1. As indices of an embedding or of gather(), or as the classes of cross_entropy(), all of them must be in range: " +
			"PyTorch raises an IndexError when one is drawn that is not, or a GPU stops with an assertion. It is reported where only views lie between the draw and its use, " +
			"and for targets that are filled with a class which the scores do not have, as that of the background, and of which only a part is written then. So are places along an axis, as topk and argmax give them, that gather() takes along a shorter one.",
		Bad: `# run: --script
import torch
import torch.nn.functional as F

logits = torch.randn(64, 10)
labels = torch.randint(0, 11, (64,))
loss = F.cross_entropy(logits, labels)
`,
		Good: `# run: --script
import torch
import torch.nn.functional as F

logits = torch.randn(64, 10)
labels = torch.randint(0, 10, (64,))
loss = F.cross_entropy(logits, labels)
`,
	},
	{
		Code: UnsummedWeights, Severity: Warning, Title: "attention weights that do not sum up to 1",
		Doc: "The weights of a self-attention come from a softmax over the keys, and the product with the values sums over the keys. A softmax over another axis (the queries, the heads) fits as " +
			"well, trains, and is wrong: the weights of one query do not add up to 1. It is reported where queries and keys are the same axis of the same data; a softmax over " +
			"slots, clusters or queries of another kind assigns things to them, and is meant. It is also reported where multinomial draws from rows that a softmax over the columns made, " +
			"where a softmax goes over the rows of scores whose columns the loss takes for the classes, and where argmax() chooses, or gather() takes one log-probability of each, " +
			"along another axis than the one that was normalised.",
		Bad: `# run: --arg 'x:f32[B,T,64]'


def forward(x):
    weights = (x @ x.transpose(1, 2)).softmax(dim=1)
    return weights @ x
`,
		Good: `# run: --arg 'x:f32[B,T,64]'


def forward(x):
    weights = (x @ x.transpose(1, 2)).softmax(dim=2)
    return weights @ x
`,
	},
	{
		Code: OnlyScore, Severity: Warning, Title: "softmax of one score",
		Doc: "A softmax over the outputs of a layer that has one output gives 1, whatever the scores are, and no gradients: the weights of an attention pooling are meant to be compared over " +
			"the positions, a classifier with one output needs sigmoid().",
		Bad: `# run: --arg 'x:f32[B,T,64]'
import torch.nn as nn

score = nn.Linear(64, 1)


def forward(x):
    return (score(x).softmax(dim=-1) * x).sum(dim=1)
`,
		Good: `# run: --arg 'x:f32[B,T,64]'
import torch.nn as nn

score = nn.Linear(64, 1)


def forward(x):
    return (score(x).softmax(dim=1) * x).sum(dim=1)
`,
	},
	{
		Code: Untrained, Severity: Warning, Title: "parameters that no loss reaches",
		Doc: "An optimiser steps parameters that no backward() gives gradients, as detach() or .data cuts the graph between them and the loss: they stay as they were initialised. Nothing is said " +
			"where gradients may come from what is not known, where the program writes the parameters itself, and of what runs under no_grad.",
		Bad: `# run: --script
import torch
import torch.nn as nn

body, head = nn.Linear(8, 16), nn.Linear(16, 1)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
loss = head(body(torch.randn(4, 8)).detach()).mean()
loss.backward()
optimizer.step()
`,
		Good: `# run: --script
import torch
import torch.nn as nn

body, head = nn.Linear(8, 16), nn.Linear(16, 1)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
loss = head(body(torch.randn(4, 8))).mean()
loss.backward()
optimizer.step()
`,
	},
}
