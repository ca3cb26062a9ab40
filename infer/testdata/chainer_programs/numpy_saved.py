# entry: run
# arg: x:f32[5,6]
import io
import os
import tempfile

import chainer
import chainer.links as L
import numpy as np


def run(x):
    one, two, model = io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.save(one, x[:, 0])
    one.seek(0)
    np.savez(two, x, k=x.T.astype('d'))
    two.seek(0)
    net = L.Linear(6, 3)
    chainer.serializers.save_npz(model, chainer.Sequential(net))
    model.seek(0)
    path = os.path.join(tempfile.mkdtemp(), 'a.npy')
    np.save(path, x[0])
    with np.load(two) as f:
        files, k, first = f.files, f['k'], f['arr_0']
    weights = np.load(model)
    return np.load(one), files, k, first, sorted(weights.files), weights['0/W'], np.load(path), chainer.Variable(x, name='a').label
