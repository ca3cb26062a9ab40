# entry: forward
# arg: a:f32[3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


@chainer.dataset.converter()
def convert(batch, device):
    xs = [b[0] for b in batch]
    n = np.array([len(x) for x in xs], np.int32)
    return F.pad_sequence(xs, padding=-1).array, device.send(n)


def forward(a):
    batch = [(a[0], 1), (a[1, :2], 0), (a[2, :3], 2)]
    cpu = chainer.get_device('@numpy')
    x, n = convert(batch, cpu)
    xs, ts = chainer.dataset.concat_examples(batch, padding=0)
    d = chainer.dataset.concat_examples([{'x': a, 'k': 1}, {'x': a, 'k': 2}])
    p, q = chainer.dataset.concat_examples(batch, padding=(0, -1))
    return x, n, xs, ts, d['x'], d['k'], p, q, chainer.dataset.to_device(-1, a)
