# entry: forward
# arg: x:f32[3]
import chainer.functions as F
import numpy as np


def forward(x):
    out = []
    for kind in ('?', 'b', 'i', 'f'):
        y = (x > 0).astype(kind)
        out.append([y ** 2, y ** 2.0, y ** np.array(2), y ** np.float32(2), y ** np.array([2.0])])
    small, signed = (x > 0).astype('u1'), (x > 0).astype('i1')
    return out, np.copysign(small, signed - 1), np.hypot(small, signed), (x > 0) @ (x > 0), x.byteswap().shape, F.relu(x)
