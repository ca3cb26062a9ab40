# entry: forward
# arg: n=4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class D(chainer.dataset.DatasetMixin):
    def __len__(self):
        return 2

    def get_example(self, i):
        return i


def forward(n):
    return D()[n]
