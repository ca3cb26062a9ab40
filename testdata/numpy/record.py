"""Records what NumPy computes: python record.py > calls.jsonl with NumPy 2; with NumPy 1, python record.py calls.jsonl > numpy1.jsonl
gives the calls that have other results there.

Each line is an expression of the arrays below and its result: element type, sizes and elements of each array, or the
name of the exception. The arrays are in arrays.json, which record.py --arrays writes.
"""
import json
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
ARRAYS = {
    "x": np.array([[0.5, -1.25, 2.0], [3.5, 0.0, -0.75]], np.float32),
    "y": np.array([[1.5, 0.25, -2.0], [0.5, 4.0, 0.75]], np.float32),
    "v": np.array([0.25, 0.5, 0.875], np.float32),
    "d": np.array([[1.1, -0.3, 2.7], [0.4, 5.5, -1.9]]),
    "h": np.array([0.5, -2.0, 7.25], np.float16),
    "i": np.array([[7, -3, 0], [5, 2, -8]], np.int64),
    "j": np.array([[2, 3, 1], [4, -5, 3]], np.int64),
    "k": np.array([1, 2, 0], np.int32),
    "u": np.array([3, 200, 7], np.uint8),
    "b": np.array([[True, False, True], [False, False, True]]),
    "c": np.array([True, False, True]),
    "m": np.array([[2.0, 1.0, 0.5], [0.25, 3.0, -1.0], [1.5, 0.0, 4.0]], np.float32),
    "t": (np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7 - 3) / 2,
}
UNARY = "sin cos tan sinh cosh tanh arctan arcsinh exp exp2 expm1 sign square absolute fabs negative positive floor ceil trunc rint isnan isinf isfinite " \
    "logical_not conj deg2rad rad2deg degrees radians signbit".split()
PAIRS = "add subtract multiply divide true_divide maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor " \
    "arctan2 hypot copysign floor_divide mod remainder fmod".split()
EXPRESSIONS = [f"np.{f}({a})" for f in UNARY for a in "x d i h".split()]
EXPRESSIONS += [f"np.{f}(np.abs({a}) + 0.5)" for f in "log log2 log10 log1p sqrt cbrt reciprocal arccosh".split() for a in "x d i".split()]
EXPRESSIONS += [f"np.{f}({a})" for f in "arcsin arccos arctanh".split() for a in "v v/2".split()]
EXPRESSIONS += [f"np.{f}({a})" for f in PAIRS for a in "x,y x,v x,2 i,j x,d x,j 3,y k,i".split()]
EXPRESSIONS += [f"np.{f}({a})" for f in "maximum minimum logical_and logical_or logical_xor equal add multiply bitwise_and bitwise_or bitwise_xor".split() for a in "b,c i,j".split()]
EXPRESSIONS += [f"np.{f}(b)" for f in "logical_not invert absolute isfinite".split()] + ["np.invert(i)", "~b", "~i", "-x", "-i", "+x", "abs(x)", "abs(i)"]
EXPRESSIONS += [f"{a} {o} {c}" for o in "+ - * / // % ** == != < <= > >=".split() for a, c in
                (("x", "y"), ("x", "2"), ("2", "y"), ("x", "0.5"), ("i", "np.abs(j)"), ("i", "3"), ("i", "1.5"), ("x", "d"), ("u", "k"), ("x", "k"), ("h", "2"), ("h", "v"))]
EXPRESSIONS += [f"{a} {o} {c}" for o in "& | ^".split() for a, c in (("b", "c"), ("i", "j"), ("i", "3"), ("b", "True"))]
EXPRESSIONS += ["i << 2", "i >> 1", "np.left_shift(i, 1)", "np.right_shift(i, 1)", "np.power(x, 2)", "np.power(np.abs(x), y)", "np.power(i, 2)", "np.float_power(np.abs(x), 2)"]
EXPRESSIONS += [f"np.{f}({a}{o})" for f in "sum mean prod max min amax amin any all std var argmax argmin ptp".split() for a in "x i b d".split() for o in ("", ", axis=0", ", axis=1", ", axis=-1, keepdims=True")]
EXPRESSIONS += [f"np.{f}(t, axis=(0, 2))" for f in "sum mean prod max min std var any all".split()]
EXPRESSIONS += [f"{a}.{f}({o})" for f in "sum mean prod max min any all std var argmax argmin".split() for a in "x i".split() for o in ("", "0", "axis=1")]
EXPRESSIONS += ["np.sum(x, dtype=np.float64)", "np.sum(k)", "np.sum(u)", "np.sum(h)", "np.mean(h)", "np.mean(k)", "np.var(x, ddof=1)", "np.std(x, axis=1, ddof=1)", "x.sum(axis=(0, 1))", "np.count_nonzero(x)",
                "np.count_nonzero(i, axis=1)", "np.nansum(x)", "np.nanmean(x, axis=0)", "np.average(x, axis=0)", "np.median(x)", "np.cumsum(x, axis=1)", "np.cumsum(i)", "np.cumprod(v)", "x.cumsum(0)", "np.cumsum(b, axis=0)",
                "np.trace(m)", "np.diff(v)", "np.diff(x, axis=1)"]
EXPRESSIONS += ["np.zeros((2, 3))", "np.zeros(3, dtype=np.float32)", "np.ones((2, 2), dtype='i4')", "np.ones(2, dtype=bool)", "np.full((2, 2), 7)", "np.full(3, 0.5, dtype=np.float32)", "np.zeros_like(x)", "np.ones_like(i)",
                "np.full_like(x, 2)", "np.zeros_like(x, dtype=np.int32)", "np.zeros(x.shape)", "np.ones((x.shape[0], 2), x.dtype)", "np.arange(5)", "np.arange(2, 8)", "np.arange(1, 10, 3)", "np.arange(0, 1, 0.25)", "np.arange(3.0)",
                "np.arange(4, dtype=np.float32)", "np.arange(x.shape[1])", "np.arange(5, 0, -2)", "np.eye(3)", "np.eye(2, 3)", "np.eye(3, k=1)", "np.identity(3)", "np.linspace(0, 1, 5)", "np.linspace(-2, 2, 4, dtype=np.float32)",
                "np.linspace(0, 1, 4, endpoint=False)", "np.array([1, 2, 3])", "np.array([1.5, 2])", "np.array([[1, 2], [3, 4]], dtype=np.float32)", "np.array(3)", "np.array([True, False])", "np.array([x.shape[0], 5])", "np.array(x)",
                "np.array([x, y])", "np.array([v[0], v[1]])", "np.asarray(x)", "np.asarray([1, 2], dtype='f')", "np.copy(x)", "x.copy()", "np.ascontiguousarray(x.T)", "x.astype(np.float64)", "x.astype('i4')", "i.astype(bool)", "b.astype(int)",
                "np.float32(3) * x", "np.float64(2) * x", "x * np.float32(0.5)", "np.tri(3)", "np.tril(m)", "np.triu(m, 1)", "np.diag(m)", "np.diag(v)"]
EXPRESSIONS += ["np.concatenate([x, y])", "np.concatenate([x, y], axis=1)", "np.concatenate([x, i], axis=0)", "np.stack([x, y])", "np.stack([x, y], axis=-1)", "np.vstack([x, v])", "np.hstack([v, v])", "np.dstack([x, y])",
                "np.column_stack([v, v])", "np.append(v, v)", "np.append(x, y, axis=0)", "np.split(x, 3, axis=1)", "np.split(v, [1])", "np.array_split(v, 2)", "np.hsplit(x, 3)", "np.vsplit(x, 2)", "np.reshape(x, (3, 2))",
                "x.reshape(-1)", "x.reshape(3, -1)", "np.ravel(x)", "x.flatten()", "x.T", "np.transpose(t, (2, 0, 1))", "t.transpose(1, 0, 2)", "np.swapaxes(t, 0, 2)", "np.moveaxis(t, 0, -1)", "np.rollaxis(t, 2)", "np.expand_dims(x, 1)",
                "np.squeeze(x[:1])", "np.squeeze(x[:1], axis=0)", "np.broadcast_to(v, (2, 3))", "np.tile(v, 2)", "np.tile(x, (2, 1))", "np.repeat(v, 2)", "np.repeat(x, 2, axis=1)", "np.flip(x)", "np.flip(x, 1)", "np.fliplr(x)",
                "np.flipud(x)", "np.roll(x, 1, axis=1)", "np.roll(v, -1)", "np.rot90(x)", "np.pad(x, 1)", "np.pad(x, ((0, 1), (2, 0)))", "np.pad(x, 1, constant_values=5)", "np.pad(v, 2, mode='edge')", "np.pad(v, 2, mode='reflect')",
                "np.atleast_2d(v)", "np.atleast_3d(x)", "np.where(x > 0, x, y)", "np.where(b, 1.0, x)", "np.where(b, i, j)", "np.where(c, x, 0)", "np.where(x, x, i)", "np.clip(x, 0, 1)", "np.clip(x, None, 1)", "np.clip(i, -2, 3)",
                "np.clip(x, v, 2)", "x.clip(0, 1)", "np.maximum(x, 0)", "np.round(d)", "np.round(d, 1)", "np.round(x, -1)", "x.round()", "np.around(x)", "np.nan_to_num(x)", "np.isclose(x, y)", "np.real(x)", "x.conj()"]
EXPRESSIONS += ["x[0]", "x[:, 1]", "x[1, 2]", "x[..., ::2]", "x[:, None]", "x[::-1]", "x[[1, 0]]", "x[:, [2, 0]]", "x[[0, 1], [1, 2]]", "x[k > 5]", "v[k]", "x[b]", "np.take(v, k)", "np.take(x, [0, 2], axis=1)",
                "np.take_along_axis(x, np.array([[0, 1, 1]]), 0)", "np.sort(x)", "np.sort(x, axis=0)", "np.argsort(x)", "np.argsort(x, axis=0)", "np.searchsorted(v, x)", "np.nonzero(b)", "np.where(b)", "np.argwhere(b)", "np.flatnonzero(b)",
                "np.bincount(np.abs(k))", "np.unique(i)"]
EXPRESSIONS += ["np.matmul(x, m)", "x @ m", "x @ v", "v @ v", "np.dot(x, m)", "np.dot(v, v)", "np.dot(x, 2)", "x.dot(v)", "np.inner(v, v)", "np.inner(x, y)", "np.outer(v, k)", "np.vdot(v, v)", "np.tensordot(t, m, axes=([1], [0]))", "np.kron(v, v)",
                "np.einsum('ij,jk->ik', x, m)", "np.einsum('ij->j', x)", "np.einsum('ii', m)", "np.einsum('ij,ij->i', x, y)", "np.matmul(i, i.T)", "np.cross(v, v[::-1])", "np.linalg.norm(x)", "np.linalg.norm(x, axis=1)",
                "np.linalg.norm(x, axis=1, keepdims=True)", "np.linalg.norm(v, 1)", "np.linalg.norm(v, np.inf)", "np.linalg.det(m)", "np.linalg.inv(m)", "np.add.reduce(x)", "np.multiply.outer(v, v)", "np.maximum.reduce(x, axis=1)",
                "np.add.accumulate(v)", "np.exp(x, dtype=np.float64)", "np.add(x, y, where=b)", "np.sum(x, where=b)", "np.sum(x, initial=5)", "np.max(x, initial=2)", "np.meshgrid(v, v)", "np.sinc(x)", "np.interp(x, v, v)",
                "np.logaddexp(x, y)", "np.logaddexp2(x, y)", "np.heaviside(x, 0.5)", "np.ldexp(x, 2)", "np.nextafter(x, y)", "np.gcd(i, j)", "np.isneginf(x)", "np.isposinf(x)", "np.modf(x)", "np.divmod(i, 3)", "np.divmod(x, y)",
                "np.fft.fft(v)", "np.indices((2, 2))", "np.tril_indices(3)", "np.array_equal(x, y)", "np.allclose(x, x)", "x.sum() / x.size", "(x - x.mean(axis=0)) / (x.std(axis=0) + 1e-5)", "np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)",
                "x + i", "x + True", "b + b", "b * x", "b.sum()", "x.mean() > 0", "np.sqrt(np.sum((x - y) ** 2, axis=1))", "np.sum(x * y, axis=-1)"]

# Statements, and after the last semicolon the result.
EXPRESSIONS += [f"{a} {o}= {c}; {a}" for o in "+ - * / // % **".split() for a, c in (("x", "2"), ("x", "y"), ("i", "3"), ("x", "d"), ("x", "k"), ("u", "3"))]
EXPRESSIONS += [f"i {o}= 3; i" for o in "& | ^ << >>".split()] + ["b &= c; b", "b |= c; b", "b ^= c; b"]
EXPRESSIONS += ["z = x[0]; z += 1; x", "z = x.T; z *= 2; x", "z = x.copy(); z -= 1; x", "x[0] = 5; x", "x[:, 1] += v[:2]; x", "x[b] = 0; x", "z = x[:, ::2]; z[...] = 7; x", "z = np.zeros((2, 3)); z[0] = x[1]; z",
                "z = np.zeros(3, np.float32); z[k] = v; z", "t[0, :, 1:3] = 0; t"]
EXPRESSIONS += ["np.nanmax(x)", "np.nanargmin(x)", "np.nancumsum(v)", "np.take(x, k, axis=1)", "np.take(x, 4)", "np.take(x, [[0, -1]], axis=0)", "np.sort(i, axis=0)", "x.flatten(order='F')", "np.repeat(v, [1, 2, 0])", "np.pad(i, (1, 0))",
                "np.diff(i, n=2)", "np.diff(b)", "np.trace(m, offset=1)", "np.dot(i, np.abs(j).T)", "np.dot(t, v[:2].repeat(2))", "np.inner(t[..., :3], v)", "np.imag(x)", "np.nan_to_num(x / 0)", "np.isclose(x, x + 1e-9)",
                "np.isclose(d, np.round(d, 1))", "i << k", "u << 1", "u >> 3", "divmod(i, 3)", "divmod(x, y)", "divmod(7, j)", "np.add(x, [1, 2, 3])", "np.array([v], ndmin=3)", "np.fix(x)", "np.round(i, -1)", "np.linalg.norm(v, 3)", "np.abs(b)",
                "np.sqrt(k)", "np.exp(u)", "np.mean(u)", "np.prod(k)", "np.max(u)", "np.sum(x, axis=())", "np.isnan(x / 0)", "np.sign(x / 0)", "np.maximum(x / 0, y)", "np.fmax(x / 0, y)", "np.floor_divide(x, 0)", "np.mod(i, 0)",
                "np.floor_divide(i, 0)", "x % 0.3", "x // 0.3", "-5 // np.abs(j)", "-x // y", "i > 2.5", "x > d", "k < i", "u == 200", "b == 1", "x == i", "h > 0.3", "u > k", "v[0] > d[0]", "v.sum() < d"]
EXPRESSIONS += ["np.median(x, axis=0)", "np.median(x, axis=1, keepdims=True)", "np.median(v)", "np.median(i)", "np.median(t, axis=-1)", "np.median(h)", "np.median(d)", "np.median(t, axis=(0, 2))",
                "np.cross(x, v)", "np.cross(x[:, None], m)", "np.cross(i, j)", "np.cross(m, m.T)", "np.cumsum(x)", "np.cumsum(u)", "np.cumsum(t)", "np.cumsum(b)", "np.nonzero(i)", "np.nonzero(v)", "np.flatnonzero(i)", "np.flatnonzero(x)", "np.nonzero(t)",
                "np.add.reduce(x, axis=1, keepdims=True)", "np.add.reduce(x, axis=None)", "np.add.reduce(k)", "np.add.reduce(u)", "np.add.reduce(b)", "np.add.reduce(h)", "np.add.reduce(x, dtype=np.float64)",
                "np.multiply.reduce(i, axis=1)", "np.multiply.reduce(k)", "np.multiply.reduce(x)", "np.minimum.reduce(i)", "np.maximum.reduce(u)", "np.maximum.reduce(b, axis=1)", "np.logical_and.reduce(b, axis=1)",
                "np.logical_or.reduce(x)", "np.logical_or.reduce(i, axis=None)", "np.add.accumulate(x, axis=1)", "np.add.accumulate(k)", "np.add.accumulate(b)", "np.multiply.accumulate(i)", "np.multiply.accumulate(u)"]

EXPRESSIONS += ["z = x[0]; z.sort(); x", "x[0].fill(2); x", "x.fill(0.5); x", "i.fill(3); i", "z = x[:, 1]; z.fill(7); x", "x.sort(axis=0); x", "i.sort(); i",
                "np.copyto(x, y); x", "np.copyto(x, v); x", "np.copyto(x, y, where=b); x", "np.copyto(x[0], v); x", "np.put(x, [0, 2], 9); x",
                "np.put(x[1], [0, -1], 5); x", "np.add(x, y, out=x); x", "z = np.zeros((2, 3), np.float32); np.multiply(x, v, out=z); z",
                "z = np.zeros((2, 3)); np.add(x, 1, out=z); z", "np.exp(x, out=x); x", "np.add(x[0], 1, out=x[1]); x", "np.add(x, y, out=x, where=b); x",
                "np.sqrt(np.abs(x), out=y, where=b); y", "np.maximum(x, 0, out=x, where=c); x", "z = np.ones(3, np.float32); np.sum(x, axis=0, out=z); z",
                "z = np.ones(2); np.mean(x, axis=1, out=z); z", "z = np.zeros(3, np.int64); np.sum(i, axis=0, out=z); z", "np.sum(x, where=b)",
                "np.sum(x, axis=1, where=b)", "np.sum(i, axis=0, where=b, keepdims=True)", "np.prod(x, where=b)", "np.mean(x, where=b)",
                "np.mean(x, axis=1, where=c)", "np.any(x > 0, where=b)", "np.all(x > -9, axis=0, where=b)", "np.max(x, where=b, initial=-5)",
                "np.min(x, axis=1, where=b, initial=9)", "np.sum(x, axis=0, initial=2)", "np.prod(x, initial=3)", "np.max(x, initial=2)",
                "np.min(x, axis=0, initial=0)", "np.sum(i, initial=4)", "np.add.reduce(x, axis=1, initial=1)", "np.add.reduce(x, axis=0, where=b)",
                "np.maximum.reduce(x, axis=0, initial=1)", "x.sum(axis=1, where=b)", "x.max(axis=0, initial=3)", "np.unique(i, return_index=True)",
                "np.unique(k, return_counts=True)", "np.unique(x, return_inverse=True)", "np.unique(i, return_index=True, return_inverse=True, return_counts=True)",
                "np.unique(b)", "np.unique(i, axis=0)", "np.unique(v)", "np.searchsorted(v, v)", "np.searchsorted(v, x, side='right')",
                "np.searchsorted(np.sort(k), k)", "np.searchsorted(v, 0.5)", "np.bincount(k)", "np.bincount(k, minlength=5)", "np.bincount(k, weights=v)",
                "np.meshgrid(v, k)", "np.meshgrid(v, k, indexing='ij')", "np.meshgrid(v, k, v)", "np.meshgrid(x, v)", "np.tri(3, 4)",
                "np.tri(2, 4, -1, dtype=np.int32)", "np.repeat(v, [2, 0, 1])", "np.repeat(x, [1, 3], axis=0)", "np.repeat(x, [0, 2, 1], axis=1)", "np.modf(d)",
                "x * np.cumsum([1, 2, 3])", "x + np.sort([3, 1, 2])", "v * np.sum([1.5, 2])", "np.concatenate([v, np.exp([0.5, 1])])", "x.sum() / 2",
                "float(x.sum()) * x", "x * float(v[1])", "x.sum() + 1", "x[0, 0] * 2", "-x.sum()", "x.mean() * x",
                "i.sum() + 3", "x.sum() * v.sum()", "np.float32(2) - x.mean()", "x * (x.max() - x.min())", "(x - x.mean()) / x.std()", "i[0, 0] // 2"]

EXPRESSIONS += [f"np.{f}({a}, {q}{o})" for f, q in (("percentile", "30"), ("percentile", "[10, 90]"), ("quantile", "0.5"), ("quantile", "[0.25, 0.5, 1]"), ("nanquantile", "0.3"), ("nanpercentile", "75")) for a in "x i d".split() for o in ("", ", axis=0", ", axis=-1, keepdims=True")]
EXPRESSIONS += [f"np.quantile(d, 0.3, method='{m}')" for m in "linear hazen weibull interpolated_inverted_cdf median_unbiased normal_unbiased lower".split()]
EXPRESSIONS += ["np.quantile(t, [0.1, 0.6], axis=(0, 2))", "np.quantile(t, 0.7, axis=(2, 0), keepdims=True)", "np.percentile(t, 40, axis=(0, 1))", "np.percentile(v, v * 100)", "np.quantile(x / 0, 0.5)", "np.nanquantile(x / 0, 0.5)", "np.nanmedian(x)",
                "np.median(t, axis=(1, 0), keepdims=True)", "np.argsort(v)", "np.argsort(i, axis=0)", "np.argsort(d, kind='stable')", "np.argsort(x.ravel())", "x.argsort(axis=0)", "np.argsort(k, axis=None)", "np.argsort(b, axis=1, kind='stable')",
                "np.searchsorted(v, d)", "np.searchsorted(np.sort(i[0]), 2.5)", "np.searchsorted([1, 3, 5], i)", "np.searchsorted([0.5, 1.5], x, side='right')", "np.searchsorted(v, x / 0)", "np.searchsorted(v, [0.3, 0.9])", "np.searchsorted(np.sort(k), u)",
                "np.digitize(x, [0, 1])", "np.digitize(x, [1, 0])", "np.digitize(x, [0.5, 0.0], right=True)", "np.digitize(i, [-2, 2, 5], right=True)", "np.digitize(d, v)", "np.digitize(v, np.array([0.25, 0.5]))", "np.digitize(x, v[::-1])", "np.digitize(x / 0, [1, 0])", "np.digitize(2, [1, 3])",
                "np.interp(x, [0.0, 1.0], [2.0, 3.0])", "np.interp(d, v, v * 2)", "np.interp(i, [0, 5], [1, 3], left=-1)", "np.interp(x, v, [1, 2, 4], right=9)", "np.interp(v, [0.5], [2.0])", "np.interp(x / 0, v, v)", "np.interp(0.3, v, v)", "np.interp(v, v, k)",
                "np.histogram(x, bins=4, range=(-1, 3))", "np.histogram(i, bins=5, range=(-8, 7))", "np.histogram(d, [0, 1, 2.5, 6])", "np.histogram(x, bins=[-1, 0, 0, 2])", "np.histogram(i, bins=[-3, 0, 2, 2])", "np.histogram(v, bins=v)", "np.histogram(x, 3)", "np.histogram(i, bins=np.array([0, 5]))",
                "np.histogram(x, bins=10, range=(0.0, 1.0))", "np.histogram(x, bins=2, range=(0, 0))", "np.histogram(u, bins=4, range=(0, 256))", "np.histogram(d, bins=3, range=(0, 1), density=True)"]
EXPRESSIONS += ["np.insert(x, 1, 0, axis=1)", "np.insert(x, 0, 5)", "np.insert(x, -1, v, axis=0)", "np.insert(x, 2, [1, 2], axis=1)", "np.insert(x, [2], [[1], [2]], axis=1)", "np.insert(x, [0, 2], 7, axis=1)", "np.insert(x, [2, 0, 2], [1, 2, 3], axis=1)", "np.insert(v, [1, 1], [8, 9])",
                "np.insert(v, 3, 1.5)", "np.insert(t, 1, x[:, :2].T, axis=1)", "np.insert(t, 2, 1, axis=-1)", "np.insert(i, 1, 2.7, axis=0)", "np.insert(v, slice(0, 2), 4)", "np.insert(v, [-1, 0], 5)", "np.insert(x, 1, np.ones((3, 2)), axis=1)", "np.insert(v, 1, [4, 5, 6])", "np.insert(x, 1, x[:, 0], axis=1)",
                "np.delete(x, 1, axis=1)", "np.delete(x, 0)", "np.delete(x, -1, axis=0)", "np.delete(v, [0, 2])", "np.delete(x, [0], axis=1)", "np.delete(x, slice(None, None, 2), axis=1)", "np.delete(t, np.s_[1:3], axis=-1)", "np.delete(v, [True, False, True])", "np.delete(v, [-1])", "np.delete(v, [0, 0])",
                "np.delete(v, [])", "np.delete(x, slice(-1, None, -2), axis=1)", "np.delete(i, slice(5, 1), axis=1)"]
EXPRESSIONS += ["np.cross(x[0], m)", "np.cross(m, x[:, None])", "np.cross(u, k)", "np.logspace(0, 1, 4)", "np.logspace(0, 2, 3, base=2, dtype=np.float32)", "np.logspace(0, 1, 4, endpoint=False)", "np.average(x, weights=y)", "np.average(x, axis=0, weights=[1, 3])",
                "np.average(x, axis=1, weights=v)", "np.average(t, axis=1, weights=v, keepdims=True)", "np.average(i, axis=0, weights=[1, 2])", "np.average(t, axis=(0, 1), weights=t[:, :, 0])", "np.add.reduceat(x, [0, 2], axis=1)", "np.add.reduceat(x, [0, 1])", "np.add.reduceat(v, [0, 2, 1])",
                "np.multiply.reduceat(i, [1, 0], axis=1)", "np.maximum.reduceat(v, [0, 0, 2])", "np.minimum.reduceat(t, [0, 2], axis=-1)", "np.add.reduceat(k, [1])", "np.add.reduceat(u, [0, 1], dtype=np.float32)", "np.add.reduceat(h, [0, 1])", "np.add.reduceat(b, [0, 2], axis=1)"]

EXPRESSIONS += [f"np.{f}(x / 0 * 0 + x{o})" for f in "nanmax nanmin nanprod".split() for o in ("", ", axis=0", ", axis=1, keepdims=True")] + [f"np.{f}(np.where(b, x, np.nan){o})" for f in "nanmax nanmin nanprod nanargmax nanargmin nancumsum nanmedian nansum nanmean".split() for o in ("", ", axis=1")]
EXPRESSIONS += ["np.nanmax(i, axis=0)", "np.nanmin(u)", "np.nancumsum(i)", "np.eye(3, 4, -1)", "np.eye(x.shape[1], k=2, dtype=np.float32)", "np.linspace(1, -2, 6, endpoint=False, dtype=np.float32)", "t.flatten('F')", "np.trace(m, offset=-1)", "np.trace(t)", "np.trace(t, 1, 2, 0)",
                "np.trace(i, 1)"]

EXPRESSIONS += ["np.cov(x)", "np.cov(m)", "np.cov(v)", "np.cov(m, rowvar=False)", "np.cov(i, bias=True)", "np.cov(d, ddof=0)", "np.corrcoef(m)", "np.corrcoef(v)", "np.corrcoef(d, rowvar=False)", "np.vdot(x, y)", "np.vdot(i, j)", "np.dot(t, m[:, 0].repeat(2)[:4])", "np.dot(m, t)", "np.dot(t, t[0].T)",
                "np.meshgrid(v, k, sparse=True)", "np.meshgrid(v, k, v, sparse=True, indexing='ij')", "np.indices((2, 3), dtype=np.float32)", "np.indices(x.shape)", "np.fromiter(range(4), np.float32)", "np.fromiter([1, 5], int)", "np.vander(v)", "np.vander(k, 4, increasing=True)", "np.vander([1, 2], 3)",
                "np.hanning(5)", "np.hamming(4)", "np.bartlett(5)", "np.blackman(6)", "np.hanning(1)", "v * np.hanning(3)", "np.maximum.accumulate(x, axis=1)", "np.minimum.accumulate(i)", "np.maximum.accumulate(v)", "np.minimum.accumulate(u)"]
EXPRESSIONS += [f"np.{f}.at({a}, {i}, {b}); {a}" for f in "add multiply maximum minimum subtract".split() for a, i, b in (("x", "[0, 1, 1]", "2"), ("x", "(0, [2, 2])", "0.5"), ("i", "(slice(None), [1, 1])", "3"), ("v", "k", "x[0]"), ("x", "b", "4"))]
EXPRESSIONS += ["np.add.at(x, 1, v); x", "np.add.at(x, (k % 2, k), v); x", "np.add.at(t, [1, 1], m[:, :1]); t", "np.add.at(u, [0, 2], 9); u", "z = x[1]; np.add.at(z, [0, 0], 1); x"]

EXPRESSIONS += ["np.linalg.inv(m[:2, :2])", "np.linalg.inv(np.stack([m, m.T + np.eye(3, dtype=np.float32)]))", "np.linalg.inv(np.abs(d[:1, :1]))", "np.linalg.inv(i[:, :2])", "np.linalg.inv(np.eye(4))"]

EXPRESSIONS += ["np.array(range(4))", "v * np.cumsum(range(3))", "np.maximum(x, range(3))", "np.asarray(range(6, 0, -2)) + v"]

EXPRESSIONS += ["t.reshape((4, 6), order='F')", "np.reshape(t, (6, -1), 'F')", "x.ravel(order='F')", "t.flatten('F')", "np.arange(6).reshape((2, 3), order='F')", "t.reshape(-1, order='F')",
                "np.cumprod(x[0, 0], axis=0)", "np.cumsum(x[0, 0])", "x * (2 in i)", "x * (9 in i)", "x * np.count_nonzero(x > 0)", "x * np.count_nonzero(i)", "x + t[:1, :1, 0].item()", "x * float(d[:1, 0])",
                "x * int(i[1:, :1])", "np.float32(d)", "np.int32(d)", "np.float64(x[0, 0]) * x", "np.bool_(x)", "np.uint8(v * 9)", "np.float16(x)", "np.linalg.matrix_power(m, 3)", "np.linalg.matrix_power(m, 0)",
                "np.linalg.matrix_power(m, -2)", "np.linalg.matrix_power(np.stack([m, m.T]), 5)", "np.linalg.multi_dot([x, m, m])", "np.linalg.multi_dot([v, m, d.T])", "np.nanstd(x / x)", "np.nanvar(x / x, axis=0)",
                "np.nanvar(d, axis=1, ddof=1, keepdims=True)", "np.nanstd(i, axis=0)", "np.nanvar(x[:, 1:2] / 0, axis=1, ddof=1)", "np.sort(x, axis=None)", "np.take(x, [0, 5, -7], axis=1, mode='clip')",
                "np.take(x, [[0, 5, -7]], mode='wrap')", "np.linalg.cholesky(m @ m.T + np.eye(3))"]
EXPRESSIONS += [f"np.fft.{f}.{p}" for f in ("fft(d)", "ifft(d)", "rfft(d)", "rfft(d, 5)", "fft(d, n=2, axis=0)", "fft(d, norm='ortho')", "fft2(d)", "ifft2(d)", "rfft2(d, norm='forward')", "fftn(d)", "rfftn(d)", "ifftn(d, axes=(0,))",
                "fft2(d, s=(3, 2))") for p in ("real", "imag")]
EXPRESSIONS += ["np.abs(np.fft.rfft(d))", "np.fft.irfft(np.fft.rfft(d))", "np.fft.irfft(np.fft.rfft(d), n=3)", "np.fft.irfft2(np.fft.rfft2(d), s=(2, 3))", "np.fft.irfftn(np.fft.rfftn(d))", "np.fft.ifft(np.fft.fft(d) * 2).real",
                "(np.fft.fft(d) * np.fft.fft(d)).imag", "(np.fft.fft(d) + np.conj(np.fft.fft(d))).real", "np.fft.fftshift(d)", "np.fft.ifftshift(d, axes=1)", "np.fft.fftshift(np.fft.fft(d)).real",
                "np.lib.stride_tricks.sliding_window_view(x, 2, axis=1)", "np.lib.stride_tricks.sliding_window_view(t, (2, 3), axis=(1, 2)).sum((-1, -2))", "np.lib.stride_tricks.sliding_window_view(i, (2, 2))"]

EXPRESSIONS += ["np.where(x > 1)", "np.where(i)", "np.ldexp(x, 3)", "np.ldexp(x, i)", "np.ldexp(d, [1, -700, 900])", "np.ldexp(h, k)", "np.round(i * 7, -1)", "np.round(u, -1)", "np.round(i.astype('i4') * 31, -2)",
                "np.histogram(x, bins=[-2.0, 0, 1, 4], density=True)", "np.histogram(d, bins=3, range=(-2, 6), density=True)", "np.pad(x, 1, mode='wrap')", "np.pad(t, ((0, 1), (2, 1), (5, 0)), mode='symmetric')",
                "np.linalg.norm(x, 1)", "np.linalg.norm(m, -1)", "np.linalg.norm(x, np.inf, keepdims=True)", "np.linalg.norm(t, -np.inf, axis=(2, 0))", "np.gradient(x)", "np.gradient(d, 2.0, axis=1)", "np.gradient(m, edge_order=2)",
                "np.gradient(m, np.array([0.0, 1.0, 4.0]), axis=0)", "np.gradient(i[0])", "np.unwrap(x * 3)", "np.unwrap(d * 2, axis=0)", "np.unwrap(i, period=5)", "np.nancumprod(v)", "np.copy(x.T).reshape(-1)", "x.copy('F').ravel('K')",
                "x.T.reshape(2, 3, order='A')", "np.flip(x, 1)[0]", "z = np.flip(x, 1); z[0] = 5; x", "z = np.rot90(m); z[0] = 5; m", "z = x.copy('F'); z.T.reshape(-1)[1] = 9; z", "z = np.lib.stride_tricks.as_strided(m, (2, 2), (12, 8)); z[0] = 7; m",
                "np.nanmax(x / x, axis=1)", "np.fmax(x / x, y)", "np.r_[v, 0, 1]", "np.c_[v, v]", "np.r_['0,2', v, v]"]

EXPRESSIONS += ["np.convolve(k, x[0])", "np.convolve(v[:2], m[0])", "np.convolve(v[:2], m[0], 'same')", "np.convolve(v[:2], m[0], 'valid')", "np.convolve(2.0, v)",
                "np.argsort(x[0, 0], axis=0)", "np.isreal(x)", "np.iscomplex(i)", "np.imag(x)", "np.linalg.slogdet(m)", "np.linalg.slogdet(np.stack([m, m + np.eye(3)]))",
                "np.fft.fftfreq(5)", "np.fft.fftfreq(6, 0.5)", "np.fft.rfftfreq(6, 0.25) * d[0, 0]", "np.fft.rfftfreq(5)"]


def encode(v):
    if isinstance(v, (list, tuple)):
        return [encode(e) for e in v]
    a = np.asarray(v)
    if a.dtype.kind not in "fiub" or not isinstance(v, (np.ndarray, np.generic)):
        return None
    data = [repr(float(e)) if a.dtype.kind == "f" else int(e) for e in a.ravel()]
    return {"dtype": str(a.dtype), "shape": list(a.shape), "data": data}


if sys.argv[1:] == ["--arrays"]:
    print(json.dumps({n: encode(a) for n, a in ARRAYS.items()}, indent=0))
else:
    known = set(open(sys.argv[1]).read().splitlines()) if sys.argv[1:] else ()
    for e in dict.fromkeys(EXPRESSIONS):
        try:
            names = {"np": np, **{n: a.copy() for n, a in ARRAYS.items()}}
            *statements, result = e.split("; ")
            exec("\n".join(statements), names)
            out = encode(eval(result, names))
        except Exception:
            continue
        flat = out if isinstance(out, list) else [out]
        line = json.dumps({"call": e, "out": flat})
        if None not in flat and line not in known:
            print(line)
