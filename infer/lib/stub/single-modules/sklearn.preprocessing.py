# The sizes of scaled and encoded arrays.
import numpy as _np
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _shape(X):
    if _is_unknown(X) or not hasattr(X, 'shape') or _is_unknown(X.shape):
        if isinstance(X, (list, tuple)):
            X = _np.array(X)
            return None if _is_unknown(X) else tuple(X.shape)
        return None
    return tuple(X.shape)


def _floats(X):
    # As scalers give: float32 stays, what else there is becomes float64.
    shape = _shape(X)
    if shape is None:
        return _unknown('an array of unknown sizes that is scaled')
    if isinstance(X, (list, tuple)):
        return _np.empty(shape, _np.float64)
    dtype = getattr(X, 'dtype', None)
    if hasattr(X, '_columns'):  # a table, of whose columns the types may not be known
        dtype = X._dtype
    if dtype is None or _is_unknown(dtype):
        return _np.empty(shape, _unknown('whether what is scaled is of float32'))
    name = str(dtype).split('.')[-1]
    if _is_unknown(name):
        return _np.empty(shape, _unknown('whether what is scaled is of float32'))
    return _np.empty(shape, _np.float32 if name == 'float32' else _np.float64 if name != 'float16' else _unknown('what float16 is scaled to'))


class _Base:
    _plain = True

    def __init__(self, *args, **kwargs):
        self._args = kwargs

    def fit(self, X, y=None, *args, **kwargs):
        shape = _shape(X)
        self._n = None if shape is None or len(shape) != 2 else shape[1]
        return self

    partial_fit = fit

    def fit_transform(self, X, y=None, **kwargs):
        return self.fit(X).transform(X)

    def set_output(self, *args, **kwargs):
        self._plain = False
        return self

    def get_params(self, deep=True):
        return dict(self._args)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what the stub of sklearn does not have')


class _Scaler(_Base):
    def transform(self, X, *args, **kwargs):
        return _floats(X) if self._plain else _unknown('a table of scaled values')

    def inverse_transform(self, X, *args, **kwargs):
        return _floats(X)

    def _each(self):
        n = self._n
        return _unknown('a value for each of an unknown number of columns') if n is None else _np.empty((n,), _np.float64)


class StandardScaler(_Scaler):
    mean_ = property(_Scaler._each)
    var_ = property(_Scaler._each)
    scale_ = property(_Scaler._each)


class MinMaxScaler(_Scaler):
    pass


class MaxAbsScaler(_Scaler):
    pass


class RobustScaler(_Scaler):
    pass


class Normalizer(_Scaler):
    pass


class QuantileTransformer(_Scaler):
    pass


class PowerTransformer(_Scaler):
    pass


class LabelEncoder(_Base):
    def fit(self, y):
        return self

    def transform(self, y):
        if isinstance(y, (list, tuple)):
            return _np.empty((len(y),), _np.int64)
        shape = _shape(y)
        return _unknown('the labels of an unknown number of values') if shape is None else _np.empty(shape[:1], _np.int64)

    fit_transform = transform

    def inverse_transform(self, y):
        shape = _shape(y)
        return _unknown('the values of labels') if shape is None else _np.empty(shape[:1], _unknown('the type of the values that labels stand for'))
