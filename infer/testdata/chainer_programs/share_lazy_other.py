# entry: forward
# arg: x:f32[2,3]
# arg: z:f32[2,5]
import chainer
import chainer.links as L


def forward(x, z):
    l = L.Linear(None, 4)
    s = l.copy('share')
    s(x)
    r = l.W.is_initialized
    c = l.copy('copy')
    return r, l.W.array is None, c.W.array is None
