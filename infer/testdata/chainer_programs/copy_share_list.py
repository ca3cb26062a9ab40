# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.links as L


def forward(x):
    seq = L.Linear(3, 3).repeat(3, mode='share')
    p = seq[0].W.array is seq[1].W.array
    cl = chainer.ChainList(L.Linear(3, 4), L.Linear(4, 5))
    other = cl.copy(mode='share')
    other.add_link(L.Linear(5, 6))
    q = cl.copy(mode='init')
    return p, len(cl), len(other), other[2](other[1](other[0](x))), q[0].W.array is cl[0].W.array, sum(1 for _ in other.params())
