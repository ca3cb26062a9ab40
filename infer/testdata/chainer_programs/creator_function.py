# entry: forward
# arg: x=chainer.Variable(f32[2,3])
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    l = L.Linear(3, 4)
    y = l(x)
    z = F.relu(y)
    w = F.sum(z + y)
    c = w.creator
    n = y.creator_node
    return c.label, c.rank, w.rank, z.creator.label, y.creator.label, len(n.inputs), x.creator is None, z.creator.inputs[0].shape, z.creator.rank, x.rank
