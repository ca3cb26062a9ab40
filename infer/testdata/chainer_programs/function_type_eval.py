# entry: forward
# arg: x=chainer.Variable(f32[5,4])
# arg: w=chainer.Variable(f32[4,4])
import chainer
from chainer.utils import type_check


class Mul(chainer.Function):
    def check_type_forward(self, in_types):
        n = type_check.eval(in_types.size())
        type_check.expect(in_types.size() == 2)
        x, w = in_types
        type_check.expect(x.shape[1] == w.shape[0], w.shape[0] == w.shape[1])
        type_check.expect(type_check.prod(w.shape) == 16)
        if type_check.eval(x.ndim) == 2:
            type_check.expect(x.dtype == w.dtype)

    def forward(self, inputs):
        x, w = inputs
        return x.dot(w),

    def backward(self, inputs, gy):
        x, w = inputs
        return gy[0].dot(w.T), x.T.dot(gy[0])


def forward(x, w):
    y = Mul()(x, w)
    y.grad = y.array
    y.backward()
    return y, x.grad, w.grad
