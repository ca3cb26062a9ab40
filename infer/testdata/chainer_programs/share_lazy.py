# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    l = L.Linear(None, 4)
    s, c, i = l.copy(), l.copy('copy'), l.copy('init')
    l(x)
    a = [z.W.is_initialized for z in (l, s, c, i)]
    y = s(x)
    b = [z.W.is_initialized for z in (l, s, c, i)]
    return a, b, s.W.array is l.W.array, s.W is l.W, y, l.W.shape, c(x), i(x), s.W.shape, c.W.shape
