# entry: forward
# arg: x=chainer.Variable(f32[4,3])
import chainer
import chainer.functions as F


def forward(x):
    y = F.tanh(x)
    with chainer.no_backprop_mode():
        z = F.tanh(y)
    a = y.creator is None
    y.unchain()
    return a, z.creator is None, y.creator is None, z.rank
