#!/usr/bin/env python3
"""record_links.py: what Chainer 7.8.1 computes for the links of links.py at two sizes -> links.npz.

Parameters and inputs are not kept: element i of the array NAME is drawn by `draw` from the CRC-32 of the name, here and in the test.
"""
import os, sys, warnings, zlib
warnings.simplefilter('ignore')
import numpy as np
import chainer
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import links

SIZES = {'GoogLeNet': [(1, 3, 64, 64), (2, 3, 79, 96)], 'ResNet50': [(1, 3, 64, 64), (2, 3, 79, 96)], 'VGG16': [(1, 3, 32, 32), (2, 3, 47, 64)],
         'Blocks': [(1, 6, 14, 14), (2, 6, 9, 12)]}


def draw(name, shape):
    """Numbers from -1 to 1."""
    n = int(np.prod(shape))
    i = np.arange(n, dtype=np.uint64) + np.uint64(zlib.crc32(name.encode()))
    u = ((i * np.uint64(2654435761)) % np.uint64(1 << 32)).astype(np.float64) / (1 << 31) - 1
    return u.reshape(shape)


def fill(name, shape):
    u = draw(name, shape)
    last = name.rsplit('/', 1)[1]
    if last == 'gamma':
        u = 1 + 0.1 * u
    elif last == 'avg_var':
        u = 1.5 + 0.5 * u
    elif last == 'W':
        u = u * np.sqrt(6 / np.prod(shape[1:]))
    elif len(shape) == 1:
        u = 0.1 * u
    return u.astype(np.float32)


def main():
    out = {}
    chainer.config.train = False
    for name, sizes in SIZES.items():
        link = getattr(links, name)()
        link(np.zeros(sizes[0], np.float32))
        for path, p in link.namedparams():
            p.array[...] = fill(path, p.shape)
        for path, part in link.namedlinks():
            for k in ('avg_mean', 'avg_var'):
                v = getattr(part, k, None)
                if v is not None:
                    v[...] = fill(path + '/' + k, v.shape)
        for i, shape in enumerate(sizes):
            y = link(draw('x', shape).astype(np.float32)).array
            print(name, shape, y.shape, y.std(), abs(y).max())
            out['%s.%d' % (name, i)] = y
    np.savez_compressed(os.path.join(HERE, 'links.npz'), **out)


if __name__ == '__main__':
    main()
