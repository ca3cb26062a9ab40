# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Tree(chainer.Chain):
    def __init__(self, n):
        super().__init__()
        with self.init_scope():
            self.leaf = L.EmbedID(10, n)
            self.comp = L.TreeLSTM if False else L.ChildSumTreeLSTM(n, n)
            self.nary = L.NaryTreeLSTM(n, n, 2)

    def run(self, node):
        if isinstance(node, int):
            e = self.leaf(np.array([node], np.int32))
            return self.nary(None, None, None, None, e)
        (c1, h1), (c2, h2) = [self.run(k) for k in node]
        return self.nary(c1, c2, h1, h2, np.zeros((1, 4), 'f'))


def main():
    t = Tree(4)
    c, h = t.run(((1, 2), (3, (4, 5))))
    c2, h2 = t.comp(c, c, h, h, np.zeros((1, 4), 'f'))
    return c, h, c2, h2, sorted(n for n, _ in t.nary.namedparams())
