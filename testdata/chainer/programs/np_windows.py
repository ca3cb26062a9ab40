# entry: forward
# arg: a:f32[9]
# arg: v:f32[4]
# arg: n:i32[7]
import numpy as np


def forward(a, v, n):
    c = [np.convolve(a, v, mode) for mode in ('full', 'same', 'valid')]
    r = [np.correlate(a, v, mode) for mode in ('full', 'same', 'valid')]
    odd = np.convolve(a, v[:3], 'same'), np.correlate(a, v[:3], 'same'), np.convolve(n, n[:2]), np.correlate(n, n[:2])
    counts, edges = np.histogram(a, bins=4)
    whole, _ = np.histogram(n, bins=3)
    return c, r, odd, counts, edges, whole
