# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
from functools import partial


def forward(x):
    s = chainer.Sequential(L.Linear(3, 4), F.relu, L.Linear(4, 5), partial(F.reshape, shape=(-1, 1)))
    y = s(x)
    t = s[:2]
    t.append(F.dropout)
    u = chainer.Sequential(*t) + chainer.Sequential(L.Linear(None, 2))
    u.insert(1, F.sigmoid)
    n = len(u)
    z = u(x)
    p = u.pop()
    u.extend([F.tanh, F.sigmoid])
    r = [type(k).__name__ for k in u], u.count(F.sigmoid), u.index(F.relu), F.relu in u, chainer.Sequential(L.Linear(2, 2), F.relu).count_by_layer_type('Linear'), [nm for nm, _ in s.namedparams()]
    u.remove(F.tanh)
    u.remove_by_layer_type('Linear')
    s2 = chainer.Sequential(s, F.relu).flatten()
    del s2[0]
    rev = list(reversed(s))
    return y, z, n, type(p).__name__, r[1:], len(u), len(s2), len(rev), s.copy('copy')(x), [type(l).__name__ for l in s.links()], [nm for nm, _ in chainer.Sequential(s, L.Linear(3, 2)).namedlinks()]
