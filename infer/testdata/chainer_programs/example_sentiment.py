# entry: RecursiveNet(20, 8, 5)
# arg: x=[{'label': 2, 'node': ({'label': 1, 'node': 3}, {'label': 0, 'node': ({'label': 3, 'node': 4}, {'label': 2, 'node': 5})})}]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class RecursiveNet(chainer.Chain):
    def traverse(self, node, evaluate=None, root=True):
        if isinstance(node['node'], int):
            word = np.array([node['node']], np.int32)
            loss = 0
            v = self.leaf(word)
        else:
            left_node, right_node = node['node']
            left_loss, left = self.traverse(left_node, evaluate=evaluate, root=False)
            right_loss, right = self.traverse(right_node, evaluate=evaluate, root=False)
            v = self.node(left, right)
            loss = left_loss + right_loss
        y = self.label(v)
        label = np.array([node['label']], np.int32)
        loss += F.softmax_cross_entropy(y, label)
        predict = y.array.argmax(axis=1)
        if root and evaluate is not None:
            evaluate['correct_root'] = evaluate.get('correct_root', 0) + int(predict.shape[0])
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

    def forward(self, x):
        accum_loss = 0.0
        result = {}
        for tree in x:
            loss, _ = self.traverse(tree, evaluate=result)
            accum_loss += loss
        return accum_loss, result
