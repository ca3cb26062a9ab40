"""Writes the HDF5 files of this folder with h5py and Chainer 7.8.1, and what is in them into expect_hdf5.json."""
import json
import os
import h5py
import numpy as np
import chainer
import chainer.functions as F
import chainer.links as L

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {'float16': 'f16', 'float32': 'f32', 'float64': 'f64', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int64': 'i64', 'uint8': 'u8', 'bool': 'bool'}


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(7, 5)
            self.bn = L.BatchNormalization(5)
            self.seq = chainer.Sequential(L.Linear(5, 3), F.relu, L.Linear(3, 2))
            self.scale = chainer.Parameter(np.float32(2), ())
            self.lazy = L.Linear(None, 3)


def listed(path):
    out = []

    def visit(name, x):
        if isinstance(x, h5py.Dataset) and x.shape is not None:
            a = np.asarray(x[()])
            out.append([name, NAMES[a.dtype.name], list(a.shape), a.astype(a.dtype.newbyteorder('<')).tobytes().hex()])
    with h5py.File(path, 'r') as f:
        f.visititems(visit)
    return out


def main():
    rs = np.random.RandomState(16)
    np.random.seed(16)
    net = Net()
    chainer.serializers.save_hdf5(os.path.join(HERE, 'chainer.h5'), net)
    chainer.serializers.save_npz(os.path.join(HERE, 'chainer.npz'), net)
    with h5py.File(os.path.join(HERE, 'kinds.h5'), 'w') as f:
        f['run'] = rs.rand(3, 4).astype('f4')
        f['scalar'] = np.int64(7)
        f['empty'] = np.zeros((0, 3), 'f4')
        for kind in ('f2', 'f8', 'i1', 'i2', 'i4', 'u1', '?'):
            f.create_dataset('kinds/' + kind.replace('?', 'bool'), data=(rs.rand(6) * 3).astype(kind))
        a = rs.rand(7, 5, 4).astype('f4')
        f.create_dataset('chunks/plain', data=a, chunks=(2, 3, 4))
        f.create_dataset('chunks/gzip', data=a, chunks=(3, 2, 3), compression='gzip')
        f.create_dataset('chunks/shuffled', data=a, chunks=(7, 5, 1), compression='gzip', shuffle=True, fletcher32=True)
        f.create_dataset('chunks/vector', data=a.ravel(), chunks=(11,))
        x = f.create_dataset('chunks/holes', shape=(6, 4), dtype='f4', chunks=(2, 2))
        x[2:4, 2:] = 1
        f.create_dataset('unwritten', shape=(3,), dtype='f4')
        for i in range(40):
            f['many/%02d' % i] = np.float32(i)
    expect = {name: listed(os.path.join(HERE, name)) for name in ('chainer.h5', 'kinds.h5')}
    with open(os.path.join(HERE, 'expect_hdf5.json'), 'w') as f:
        json.dump(expect, f)
        f.write('\n')


main()
