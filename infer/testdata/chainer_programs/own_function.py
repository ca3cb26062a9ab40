# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import numpy as np
from chainer.utils import type_check
from chainer import function_node, cuda


class MulAdd(chainer.FunctionNode):
    def __init__(self, k):
        self.k = k

    def check_type_forward(self, in_types):
        type_check.expect(in_types.size() == 3)
        a, b, c = in_types
        type_check.expect(
            a.dtype.kind == 'f', b.dtype == a.dtype, c.dtype == a.dtype,
            a.ndim == 2, a.shape[0] == b.shape[1], a.shape == c.shape)
        type_check.argname(in_types, ('a', 'b', 'c')) if hasattr(type_check, 'argname') else None

    def forward(self, inputs):
        xp = cuda.get_array_module(*inputs)
        a, b, c = inputs
        self.retain_inputs((0, 1))
        self.retain_outputs((0,))
        return xp.dot(b, a) * self.k, a + c

    def forward_gpu(self, inputs):
        raise NotImplementedError

    def backward(self, indexes, gys):
        a, b = self.get_retained_inputs()
        y, = self.get_retained_outputs()
        g0, g1 = gys
        return F.matmul(b, g0, transa=True) * self.k + g1, F.matmul(g0, a, transb=True), g1


def forward(x):
    a = chainer.Variable(x)
    b = chainer.Variable(np.ones((5, 4), 'f'))
    c = chainer.Variable(x * 2)
    y, z = MulAdd(2.0).apply((a, b, c))
    loss = F.sum(y) + F.sum(z)
    loss.backward()
    return y, z, a.grad, b.grad, c.grad, y.creator.label, z.creator is y.creator, [v.data for v in y.creator.inputs] if False else len(y.creator.inputs), y.rank
