# entry: forward
# arg: n=7
import chainer
import numpy as np
from chainer import iterators, datasets
from chainer.dataset import concat_examples, to_device
from chainer.datasets import TransformDataset, SubDataset, ConcatenatedDataset, DictDataset, get_cross_validation_datasets


def forward(n):
    xs = np.arange(n * 4).reshape(n, 4).astype('f')
    ts = np.arange(n).astype('i')
    d = datasets.TupleDataset(xs, ts)
    it = iterators.SerialIterator(d, 3, repeat=False, shuffle=False)
    out = []
    for b in it:
        x, t = concat_examples(b)
        out.append((x, t, it.epoch, it.is_new_epoch))
    dd = DictDataset(x=xs, t=ts)
    b = concat_examples([dd[i] for i in range(3)])
    tr = TransformDataset(d, lambda e: (e[0] * 2, e[1] + 1, e[0].sum()))
    a, c = datasets.split_dataset(d, 5)
    cv = get_cross_validation_datasets(d, 3)
    cc = ConcatenatedDataset(a, c)
    sd = SubDataset(d, 2, 6)
    p = concat_examples([(np.zeros((i + 1, 2), 'f'), i) for i in range(3)], padding=0)
    return out, b, tr[0][0], type(tr[0][2]).__name__, len(a), len(c), len(cv), len(cv[0][0]), len(cc), len(sd), d[1:3][0][1] == 1, sd[0][1] == 2, p, dd[0]['x'], len(d), concat_examples([1, 2, 3]), concat_examples([1.5, 2.5])
