# entry: forward
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    seq = chainer.Sequential(L.Linear(4, 4), F.relu)
    r = seq.repeat(2, 'share')
    q = seq.repeat(2)
    one = seq.repeat(1)
    zero = seq.repeat(0)
    return (r(x), len(r), len(q), r[0][0].W is r[1][0].W, q[0][0].W is q[1][0].W, one is seq, len(zero), r.count_params(),
            [n for n, _ in r.namedparams()], r.copy()[0][0].W is r[0][0].W, r[0][0].W.array is seq[0].W.array, len(one), [n for n, _ in one.namedparams()])
