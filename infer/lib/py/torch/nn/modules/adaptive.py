# This file defines the adaptive softmax.
import torch
from collections import namedtuple
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

_ASMoutput = namedtuple('_ASMoutput', ['output', 'loss'])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Softmax over many classes that are clustered by frequency."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError('cutoffs should be a sequence of length larger than 0')
        if (cutoffs != sorted(cutoffs) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1
                or len(set(cutoffs)) != len(cutoffs) or any([int(c) != c for c in cutoffs])):
            raise ValueError('cutoffs should be a sequence of unique, positive integers sorted in an increasing order, '
                             'where each value is between 1 and n_classes-1')
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hsz = int(in_features // div_value ** (i + 1))
            osz = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(Linear(in_features, hsz, False, device, dtype),
                                        Linear(hsz, osz, False, device, dtype)))

    def reset_parameters(self):
        pass

    # Which rows go to which cluster is a matter of data; the sizes of the
    # results are not, so the clusters are not run.
    def forward(self, input_, target_):
        rank = target_.dim()
        if rank == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError('Input and target should have the same size in the batch dimension.')
            if input_.dim() != 2:
                raise RuntimeError('1D target tensor expects 2D input tensors, but found inputs with size', input_.size())
        elif rank == 0:
            if input_.dim() != 1:
                raise RuntimeError('0D target tensor expects 1D input tensors, but found inputs with size', input_.size())
        else:
            raise RuntimeError('0D or 1D target tensor expected, multi-target not supported')
        input = input_ if rank else input_.unsqueeze(0)
        output = F.log_softmax(self.head(input), dim=1).select(1, 0).contiguous()
        loss = (-output).mean()
        return _ASMoutput(output if rank else output.squeeze(0), loss)

    def log_prob(self, input):
        head = F.log_softmax(self.head(input), dim=1)
        parts = [head[:, :self.shortlist_size]]
        for i, cluster in enumerate(self.tail):
            parts.append(F.log_softmax(cluster(input), dim=1) + head[:, self.shortlist_size + i].unsqueeze(1))
        return torch.cat(parts, 1)

    def predict(self, input):
        return torch.argmax(self.head(input), dim=1)
