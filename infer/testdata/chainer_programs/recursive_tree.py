# entry: run
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class RecursiveNet(chainer.Chain):
    def traverse(self, node, evaluate=None, root=True):
        if isinstance(node['node'], int):
            word = self.xp.array([node['node']], np.int32)
            loss = 0
            v = self.leaf(word)
        else:
            left_node, right_node = node['node']
            left_loss, left = self.traverse(left_node, evaluate=evaluate, root=False)
            right_loss, right = self.traverse(right_node, evaluate=evaluate, root=False)
            v = self.node(left, right)
            loss = left_loss + right_loss
        y = self.label(v)
        label = self.xp.array([node['label']], np.int32)
        t = chainer.Variable(label)
        loss += F.softmax_cross_entropy(y, t)
        if evaluate is not None:
            predict = y.array.argmax(axis=1)
            if predict[0] == node['label']:
                evaluate['correct_node'] += 1
            evaluate['total_node'] += 1
            if root:
                evaluate['total_root'] += 1
        return loss, v

    def __init__(self, n_vocab, n_units, n_label):
        super(RecursiveNet, self).__init__()
        with self.init_scope():
            self.embed = L.EmbedID(n_vocab, n_units)
            self.l = L.Linear(n_units * 2, n_units)
            self.w = L.Linear(n_units, n_label)

    def leaf(self, x):
        return self.embed(x)

    def node(self, left, right):
        return F.tanh(self.l(F.concat((left, right))))

    def label(self, v):
        return self.w(v)


class TreeNet(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.e = L.EmbedID(9, 4)
            self.lstm = L.TreeLSTM if False else L.NaryTreeLSTM(4, 5, 2)

    def forward(self, t):
        if isinstance(t, tuple):
            cs, hs = zip(*[self.forward(k) for k in t])
            return self.lstm(*cs, *hs, np.zeros((1, 4), 'f'))
        return self.lstm(None, None, None, None, self.e(np.array([t], 'i')))


def run():
    m = RecursiveNet(10, 6, 5)
    tree = {'label': 3, 'node': [{'label': 1, 'node': 2}, {'label': 0, 'node': ({'label': 4, 'node': 7}, {'label': 2, 'node': 1})}]}
    ev = {'correct_node': 0, 'total_node': 0, 'total_root': 0}
    loss, v = m.traverse(tree, evaluate=ev)
    child = L.ChildSumTreeLSTM(4, 5)
    c1, h1 = child(None, None, np.zeros((2, 4), 'f'))
    c2, h2 = child(c1, c1, h1, h1, np.zeros((2, 4), 'f'))
    return loss, v, ev['total_node'], TreeNet()((1, (2, 3))), c2, h2
