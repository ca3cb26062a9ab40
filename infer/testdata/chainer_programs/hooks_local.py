# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer.function_hooks import TimerHook, PrintHook


class Sq(chainer.FunctionNode):
    def forward(self, inputs):
        x, = inputs
        return x * x,

    def backward(self, indexes, gy):
        return 2 * gy[0],


class Count(chainer.FunctionHook):
    name = 'Count'

    def __init__(self):
        self.n = 0

    def forward_postprocess(self, function, in_data):
        self.n += 1


def forward(x):
    f = Sq()
    h = Count()
    f.add_hook(h)
    y, = f.apply((x,))
    g = Sq()
    g.add_hook(Count(), name='other')
    z, = g.apply((y,))
    names = list(g.local_function_hooks)
    g.delete_hook('other')
    return y, z, h.n, names, len(g.local_function_hooks), f.label
