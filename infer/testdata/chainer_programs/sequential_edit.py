# entry: forward
# arg: x:f32[5,4]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    s = chainer.Sequential(L.Linear(4, 6), F.relu)
    s.append(L.Linear(6, 2))
    s.insert(2, F.dropout)
    t = s + chainer.Sequential(F.softmax)
    s.extend([L.Linear(2, 2)])
    n = len(s)
    p = s.pop()
    k = s.count_by_layer_type('Linear')
    del s[2]
    s.remove_by_layer_type('relu')
    return s(x), t(x), n, type(p).__name__, k, len(s), s.index(s[1]), s[0] in s, [type(c).__name__ for c in s.children()]
