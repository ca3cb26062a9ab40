# entry: forward
import numpy as np


def forward():
    powers = []
    for kind in ('?', 'b', 'H', 'e', 'f', 'F'):
        x, y = np.ones(3, kind), np.ones((), kind)
        powers.append([x ** 2, x ** 2.0, x ** np.array(2), x ** np.array(2.0), x ** np.float32(2), x ** 0.5, x ** np.array([2.0])])
        powers.append([str((y ** e).dtype) for e in (2, 2.0, np.array(2), np.float32(2), 3)])
    u, i = np.ones(4, 'u1'), np.ones(4, 'i1')
    return powers, np.copysign(u, i), np.heaviside(u, i), np.hypot(u, i), np.arctan2(i, u), np.ones((2, 3)).byteswap(), np.ones(2, bool) @ np.ones(2, bool)
