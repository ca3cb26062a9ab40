# entry: forward
# arg: x:f32[4,6]
import chainer
import numpy as np
from chainer.utils import type_check as T


class P(chainer.FunctionNode):
    def check_type_forward(self, in_types):
        T._argname(in_types, ('a', 'b'))
        a, b = in_types
        T.expect(T.prod(a.shape) == T.prod(b.shape), a.shape[-1] // 2 == 3, a.ndim >= 1, a.shape[0] * 2 + 1 > 3, a.size() if False else a.ndim != 7)
        T.expect_broadcast_shapes(a.shape, b.shape)
        if T.eval(a.ndim) == 2:
            T.expect(a.shape[1] <= 6)
        for i in range(T.eval(a.ndim)):
            T.expect(a.shape[i] == b.shape[i])

    def forward(self, inputs):
        return inputs[0] + inputs[1],


def forward(x):
    try:
        P().apply((x, x[:2]))
    except T.InvalidType as e:
        bad = 'Invalid' in str(e)
    try:
        T.expect(T.Variable(3, 'n') == T.Variable(4, 'm'))
        r = 'none'
    except T.InvalidType as e:
        r = str(e)
    return P().apply((x, x)), bad, r
