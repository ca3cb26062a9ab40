# entry: forward
import chainer
import numpy as np
from chainer.dataset import concat_examples


def forward():
    batch = [{'a': np.zeros(3, 'f'), 'b': 1}, {'a': np.ones(3, 'f'), 'b': 2}]
    c = concat_examples(batch)
    p = concat_examples([(np.zeros((2, 3), 'f'), 1.0), (np.zeros((4, 1), 'f'), 2.0)], padding=(0, None))
    q = concat_examples([1, 2, 3])
    return c, p, q
