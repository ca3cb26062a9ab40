# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    class Ds(chainer.dataset.DatasetMixin):
        def __init__(self, n):
            self.n = n

        def __len__(self):
            return self.n

        def get_example(self, i):
            return {'x': np.full((3, 4), i, np.float32), 't': np.int32(i % 2)}

    ds = Ds(10)
    it = chainer.iterators.SerialIterator(ds, 4, repeat=False, shuffle=False)
    out = []
    for batch in it:
        b = chainer.dataset.concat_examples(batch)
        out.append((b['x'].shape, b['t'].shape, b['t'].dtype))
    part = ds[2:5]
    sub = chainer.datasets.SubDataset(ds, 3, 7)
    return out, len(part), part[0]['x'], len(sub), ds[-1]['t']
