# This file defines numpy's derivatives and integrals of samples.
import operator

import _shapecheck
import numpy as np


def gradient(f, *varargs, axis=None, edge_order=1):
    f = np.asarray(f)
    N = f.ndim
    if axis is None:
        axes = tuple(range(N))
    else:
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        out = []
        for a in axes:
            a = operator.index(a) + 0  # an int of a bool
            if not -N <= a < N:
                raise np.AxisError('axis ' + str(a) + ' is out of bounds for array of dimension ' + str(N))
            out.append(a + N if a < 0 else a)
        if len(set(out)) != len(out):
            raise ValueError('repeated axis')
        axes = tuple(out)
    n = len(varargs)
    if n == 0:
        dx = [1.0] * len(axes)
    elif n == 1 and np.ndim(varargs[0]) == 0:
        dx = list(varargs) * len(axes)
    elif n == len(axes):
        dx = list(varargs)
        for i, distances in enumerate(dx):
            distances = np.asarray(distances)
            if distances.ndim == 0:
                continue
            if distances.ndim != 1:
                raise ValueError('distances must be either scalars or 1d')
            if len(distances) != f.shape[axes[i]]:
                raise ValueError('when 1d, distances must match the length of the corresponding dimension')
            if np.issubdtype(distances.dtype, np.integer):
                distances = distances.astype(np.float64)
            dx[i] = np.diff(distances)
    else:
        raise TypeError('invalid number of arguments')
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if np.issubdtype(f.dtype, np.inexact):
        otype = f.dtype
    else:
        if f.dtype == bool:
            raise TypeError('numpy boolean subtract, the `-` operator, is not supported')
        otype = np.dtype('float64')
        f = f.astype(otype)
    outs = []
    for a, step in zip(axes, dx):
        if f.shape[a] < edge_order + 1:
            raise ValueError('Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.')
        outs.append(_slopes(f, a, step, edge_order).astype(otype))
    if len(axes) == 1:
        return outs[0]
    return tuple(outs) if np.__version__[0] != '1' else outs


def _slopes(f, axis, step, edge_order):
    # The slope at each place by its neighbours, at the ends by the places there.
    def at(*bounds):
        return f[(slice(None),) * axis + (slice(*bounds),)]

    if np.ndim(step) == 0:
        inner = (at(2, None) - at(None, -2)) / (2.0 * step)
        if edge_order == 1:
            first, last = (at(1, 2) - at(0, 1)) / step, (at(-1, None) - at(-2, -1)) / step
        else:
            first = -1.5 / step * at(0, 1) + 2.0 / step * at(1, 2) - 0.5 / step * at(2, 3)
            last = 0.5 / step * at(-3, -2) - 2.0 / step * at(-2, -1) + 1.5 / step * at(-1, None)
        return np.concatenate([first, inner, last], axis)
    before, after = step[:-1], step[1:]
    shape = (1,) * axis + (-1,) + (1,) * (f.ndim - axis - 1)
    a = (-after / (before * (before + after))).reshape(shape)
    b = ((after - before) / (before * after)).reshape(shape)
    c = (before / (after * (before + after))).reshape(shape)
    inner = a * at(None, -2) + b * at(1, -1) + c * at(2, None)
    if edge_order == 1:
        first, last = (at(1, 2) - at(0, 1)) / step[0], (at(-1, None) - at(-2, -1)) / step[-1]
    else:
        p, q = step[0], step[1]
        first = -(2.0 * p + q) / (p * (p + q)) * at(0, 1) + (p + q) / (p * q) * at(1, 2) - p / (q * (p + q)) * at(2, 3)
        p, q = step[-2], step[-1]
        last = q / (p * (p + q)) * at(-3, -2) - (q + p) / (p * q) * at(-2, -1) + (2.0 * q + p) / (q * (p + q)) * at(-1, None)
    return np.concatenate([first, inner, last], axis)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    if x is None:
        d = dx
    else:
        x = np.asarray(x)
        if x.ndim == 1:
            d = np.diff(x)
            shape = [1] * y.ndim
            shape[axis] = d.shape[0]
            d = d.reshape(shape)
        else:
            d = np.diff(x, axis=axis)
    nd = y.ndim
    slice1 = [slice(None)] * nd
    slice2 = [slice(None)] * nd
    slice1[axis] = slice(1, None)
    slice2[axis] = slice(None, -1)
    return (d * (y[tuple(slice1)] + y[tuple(slice2)]) / 2.0).sum(axis)


trapz = trapezoid


def histogram2d(x, y, bins=10, range=None, density=None, weights=None, **removed):
    _removed('histogram2d', removed)
    if len(x) != len(y):
        raise ValueError('x and y must have the same length.')
    try:
        N = len(bins)
    except TypeError:
        N = 1
    if N != 1 and N != 2:
        xedges = yedges = np.asarray(bins)
        bins = [xedges, yedges]
    hist, edges = histogramdd([x, y], bins, range, density, weights)
    return hist, edges[0], edges[1]


def _removed(name, keywords):
    # numpy 1.24 removed normed=.
    old = np.__version__.startswith('1.') and int(np.__version__.split('.')[1]) < 24
    for k in keywords:
        if k != 'normed' or not old:
            raise TypeError(name + "() got an unexpected keyword argument '" + k + "'")


def histogramdd(sample, bins=10, range=None, density=None, weights=None, **removed):
    _removed('histogramdd', removed)
    if isinstance(sample, np.ndarray) and sample.ndim == 2:
        N, D = sample.shape
        columns = [sample[:, i] for i in np.arange(D)]
        kind = sample
    else:
        kind = np.atleast_2d(sample).T
        N, D = kind.shape
        columns = [kind[:, i] for i in np.arange(D)]
    if np.issubdtype(kind.dtype, np.complexfloating):
        lost = _shapecheck.unknown('histograms of complex numbers')
        return lost, D * [lost]
    try:
        M = len(bins)
        if M != D:
            raise ValueError('The dimension of bins must be equal to the dimension of the  sample x.')
    except TypeError:
        bins = D * [bins]
    if range is None:
        range = (None,) * D
    elif len(range) != D:
        raise ValueError('range argument must have one entry per dimension')
    if any(b is None for b in bins):
        raise TypeError("'<' not supported between instances of 'NoneType' and 'int'")
    edges = []
    for i, column in enumerate(columns):
        if np.ndim(bins[i]) == 0:
            if bins[i] < 1:
                raise ValueError('`bins[' + str(i) + ']` must be positive, when an integer')
            dtype = np.float64
            if range[i] is None and np.__version__[0] != '1' and N != 0:
                dtype = np.result_type(column.dtype, np.float16 if np.issubdtype(column.dtype, np.floating) else np.float64)
            edges.append(np.linspace(0.0, 1.0, bins[i] + 1).astype(dtype))
        elif np.ndim(bins[i]) == 1:
            edges.append(np.asarray(bins[i]))
        else:
            raise ValueError('`bins[' + str(i) + ']` must be a scalar or 1d array')
    hist = np.empty(tuple([len(e) - 1 for e in edges]), float)
    return hist, edges
