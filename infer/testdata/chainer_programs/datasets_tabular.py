# entry: tables
# arg: n=4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer.dataset import TabularDataset, tabular


class Pictures(TabularDataset):
    def __len__(self):
        return 10

    @property
    def keys(self):
        return ('img', 'label')

    @property
    def mode(self):
        return tuple

    def get_examples(self, indices, key_indices):
        places = np.arange(10)[slice(None) if indices is None else indices]
        columns = np.zeros((len(places), 3, 4), np.float32), places.astype(np.int32)
        return columns if key_indices is None else tuple(columns[k] for k in key_indices)


def tables(n):
    d = Pictures()
    t = tabular.from_data((('a', np.zeros((5, 2), np.float32)), ('b', [1, 2, 3, 4, 5])))
    both = t.concat(t)
    wide = t.join(tabular.from_data(('c', np.ones((5, 3)))))
    twice = t.transform(('d', 'e'), lambda a, b: (a * 2, np.float32(b)))
    batch = d.transform_batch('s', lambda img, label: img.sum(axis=2))
    named = tabular.from_data({'u': np.zeros((6, 2)), 'v': [[1.0]] * 6})
    made = tabular.from_data(('w', lambda i: np.full(2, i, np.float32)), size=7)
    picked = d.slice[::2]
    return (len(d), d[0], d.slice[:n].fetch(), d.slice[[0, 1], 'img'].fetch(), d.asdict()[0], d.keys, d.convert(d.fetch()), picked.slice[1:3].fetch(), len(picked),
            t[1], t.fetch()[0], both[7], len(both), both.slice[3:7].fetch(), both.slice[[0, 9]].fetch(), wide[0], wide.slice[:2, ('c', 'a')].fetch(), wide.keys,
            twice[0], twice.mode, len(twice), batch[1], batch.fetch(), named[2], named.slice[:3].asdict().fetch(), made[3], len(made), named.mode is dict,
            chainer.iterators.SerialIterator(d, 3).next(), chainer.dataset.concat_examples(list(d.slice[:2].fetch()[0])), t.with_converter(lambda a, b: a).convert(t.fetch()))
