# This file defines functions of one element that numpy applies to arrays.
import _shapecheck
import numpy as np


class vectorize:
    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc, self.otypes, self.excluded, self.signature = pyfunc, otypes, excluded or set(), signature
        if isinstance(otypes, str):
            self.otypes = list(otypes)

    def __call__(self, *args, **kwargs):
        if self.pyfunc is None:  # a decorator with options
            self.pyfunc = args[0]
            return self
        if self.signature is not None:
            return _shapecheck.unknown('numpy.vectorize with a signature')
        arrays = {i: np.asarray(a) for i, a in enumerate(args) if i not in self.excluded}
        named = {k: np.asarray(a) for k, a in kwargs.items() if k not in self.excluded}
        every = list(arrays.values()) + list(named.values())
        if not every:
            raise ValueError('cannot call `vectorize` with no args')
        shape = np.broadcast_shapes(*[a.shape for a in every])
        if self.otypes is None and 0 in shape:
            raise ValueError('cannot call `vectorize` on size 0 inputs unless `otypes` is set')
        # One call on elements that are not known stands for all.
        res = self.pyfunc(*[_element(arrays[i]) if i in arrays else a for i, a in enumerate(args)],
                          **{k: _element(named[k]) if k in named else a for k, a in kwargs.items()})
        if isinstance(res, tuple):
            return tuple(self._result(shape, r, i) for i, r in enumerate(res))
        return self._result(shape, res, 0)

    def _result(self, shape, res, i):
        if self.otypes is not None:
            return np.empty(shape, dtype=self.otypes[i])
        res = np.asarray(res)
        if res.ndim != 0:
            return _shapecheck.unknown('numpy.vectorize of a function that gives arrays')
        return np.empty(shape, dtype=res.dtype)


def _element(a):
    return np.empty((1,), dtype=a.dtype)[0]
