# This file defines the initializers. Of the arrays that they fill only the type is known,
# except for constants.
import _shapecheck
import numpy
from .._config import get_dtype


class Initializer:
    def __init__(self, dtype=None):
        self.dtype = dtype

    def __call__(self, array):
        raise NotImplementedError()


class _Random(Initializer):
    def __init__(self, scale=None, dtype=None, rng=None, **kwargs):
        self.scale = scale
        super().__init__(dtype)

    def __call__(self, array):
        array[...] = numpy.random.normal(size=array.shape)


class _Scaled(_Random):
    """Random numbers whose scale follows from the number of inputs."""

    fan_option = 'fan_in'

    def check(self, shape):
        fan_in, fan_out = get_fans(shape if isinstance(shape, (tuple, list)) else (shape,))
        fan = fan_in if self.fan_option == 'fan_in' else fan_out
        if isinstance(self, (GlorotUniform, GlorotNormal)):
            fan = fan_in + fan_out
        if not _shapecheck.is_symbolic(fan) and fan == 0:
            raise ZeroDivisionError('float division by zero')


class Constant(Initializer):
    def __init__(self, fill_value, dtype=None):
        self.fill_value = fill_value
        super().__init__(dtype)

    def __call__(self, array):
        array[...] = self.fill_value

    def check(self, shape):
        if isinstance(self.fill_value, numpy.ndarray):
            numpy.empty(shape, self.fill_value.dtype)[...] = self.fill_value


class Zero(Constant):
    def __init__(self, dtype=None):
        super().__init__(0.0, dtype)


class One(Constant):
    def __init__(self, dtype=None):
        super().__init__(1.0, dtype)


class NaN(Constant):
    def __init__(self, dtype=None):
        super().__init__(numpy.nan, dtype)


class Identity(Initializer):
    def __init__(self, scale=1.0, dtype=None):
        self.scale = scale
        super().__init__(dtype)

    def __call__(self, array):
        shape = array.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError('Identity matrix initialization can only be used for 2D squared matrices.')
        array[...] = 0


class Uniform(_Random):
    pass


class Normal(_Random):
    pass


class LeCunUniform(_Scaled):
    pass


class LeCunNormal(_Scaled):
    pass


class GlorotUniform(_Scaled):
    pass


class GlorotNormal(_Scaled):
    pass


class HeUniform(_Scaled):
    pass


class HeNormal(_Scaled):
    def __init__(self, scale=1.0, dtype=None, fan_option='fan_in', rng=None):
        super().__init__(scale, dtype)
        self.fan_option = fan_option


class Orthogonal(_Random):
    def __init__(self, scale=1.1, dtype=None, mode='auto', rng=None):
        super().__init__(scale, dtype)


class UpsamplingDeconvFilter(_Random):
    def __init__(self, interpolation='linear', dtype=None):
        super().__init__(None, dtype)


class DownsamplingConvFilter(_Random):
    def __init__(self, interpolation='linear', dtype=None):
        super().__init__(None, dtype)


def generate_array(initializer, shape, xp, dtype=None, device=None):
    d = getattr(initializer, 'dtype', None)
    array = numpy.empty(shape, dtype=get_dtype(dtype if dtype is not None else d, map_mixed16=numpy.float16))
    return array


def _get_initializer(initializer, name='initializer'):
    if _shapecheck.is_unknown(initializer):
        return Initializer(dtype=_shapecheck.unknown('the dtype of an initializer'))
    if initializer is None:
        return LeCunNormal()
    if isinstance(initializer, (str, bytes)):
        return _BY_NAME[initializer]()
    if numpy.isscalar(initializer) or isinstance(initializer, numpy.ndarray):
        return Constant(initializer)
    if not callable(initializer):
        raise TypeError('invalid type of %s: %s' % (name, type(initializer)))
    return initializer


_BY_NAME = {'glorotnormal': GlorotNormal, 'glorotuniform': GlorotUniform, 'henormal': HeNormal, 'heuniform': HeUniform, 'lecunnormal': LeCunNormal,
            'lecununiform': LeCunUniform, 'normal': Normal, 'uniform': Uniform, 'orthogonal': Orthogonal, 'zero': Zero, 'one': One}


def get_fans(shape):
    if len(shape) < 2:
        raise ValueError('shape must be of length >= 2: shape=%s' % (shape,))
    n = 1
    for d in shape[2:]:
        n = n * d
    return shape[1] * n, shape[0] * n
