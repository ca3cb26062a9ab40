# This file defines the initializers. Of the arrays that they fill only the type is known,
# except for constants.
import math
import _shapecheck
import numpy
from .._config import get_dtype


class Initializer:
    def __init__(self, dtype=None):
        self.dtype = dtype

    def __call__(self, array):
        raise NotImplementedError()

    def _note(self, array):
        """Says what a parameter, or a part of its array, holds, for those who draw it."""
        self(getattr(array, 'array', array))


class _Random(Initializer):
    """Random numbers within scale, or of that standard deviation."""

    uniform = False

    def __init__(self, scale=0.05, dtype=None, **kwargs):
        self.scale = scale
        self.rng = kwargs.pop('rng', None)
        if kwargs:
            raise TypeError("got unexpected keyword argument '%s'" % next(iter(kwargs)))
        super().__init__(dtype)

    def _spread(self, shape):
        return self.scale

    def __call__(self, array):
        self.check(array.shape)
        s = self._spread(array.shape)
        source = numpy.random if self.rng is None else self.rng
        array[...] = source.uniform(-s, s, array.shape) if self.uniform else source.normal(0.0, s, array.shape)

    def check(self, shape):
        pass

    def _note(self, array):
        if any([_shapecheck.is_symbolic(d) for d in array.shape]):
            return
        s = self._spread(array.shape)
        if self.uniform:
            _shapecheck.init('uniform', (-s, s), array)
        else:
            _shapecheck.init('normal', (0.0, s), array)


class _Scaled(_Random):
    """Random numbers whose scale follows from the number of inputs or outputs."""

    fan_option = 'fan_in'
    gain = 1.0

    def __init__(self, scale=1.0, dtype=None, **kwargs):
        super().__init__(scale, dtype, **kwargs)

    def _fan(self, shape):
        fan_in, fan_out = get_fans(shape)
        return fan_in if self.fan_option == 'fan_in' else fan_out

    def _spread(self, shape):
        return self.scale * math.sqrt(self.gain / self._fan(shape))

    def check(self, shape):
        fan = self._fan(shape if isinstance(shape, (tuple, list)) else (shape,))
        if not _shapecheck.is_symbolic(fan) and fan == 0:
            raise ZeroDivisionError('float division by zero')


class Constant(Initializer):
    def __init__(self, fill_value, dtype=None):
        if not _shapecheck.is_unknown(fill_value) and not numpy.isscalar(fill_value) and not isinstance(fill_value, numpy.ndarray):
            raise ValueError('fill_value must be either scalar, numpy.ndarray, cupy.ndarray or chainerx.ndarray.')
        self.fill_value = fill_value
        super().__init__(dtype)

    def __call__(self, array):
        self.check(array.shape)
        array[...] = self.fill_value

    def _note(self, array):
        if isinstance(self.fill_value, numpy.ndarray):
            _shapecheck.init('copy', (numpy.broadcast_to(self.fill_value, array.shape),), array)
        else:
            _shapecheck.init('constant', (self.fill_value,), array)

    def check(self, shape):
        if isinstance(self.fill_value, numpy.ndarray):
            numpy.empty(shape, self.fill_value.dtype)[...] = self.fill_value
        elif isinstance(self.fill_value, (str, bytes)):
            self.fill_value = float(self.fill_value)  # a text is a scalar of numpy.isscalar


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
        array[...] = numpy.identity(shape[0]) * self.scale

    def _note(self, array):
        _shapecheck.init('eye', (self.scale,), array)


class Uniform(_Random):
    uniform = True


class Normal(_Random):
    pass


class LeCunUniform(_Scaled):
    uniform, gain = True, 3.0


class LeCunNormal(_Scaled):
    pass


class _Glorot(_Scaled):
    def _fan(self, shape):
        fan_in, fan_out = get_fans(shape)
        return fan_in + fan_out


class GlorotUniform(_Glorot):
    uniform, gain = True, 6.0


class GlorotNormal(_Glorot):
    gain = 2.0


class HeUniform(_Scaled):
    uniform, gain = True, 6.0


class HeNormal(_Scaled):
    gain = 2.0

    def __init__(self, scale=1.0, dtype=None, fan_option='fan_in', **kwargs):
        super().__init__(scale, dtype, **kwargs)
        self.fan_option = fan_option


class Orthogonal(_Random):
    def __init__(self, scale=1.1, dtype=None, mode='auto', **kwargs):
        super().__init__(scale, dtype, **kwargs)

    def _note(self, array):
        if array.ndim > 1:
            _shapecheck.init('orthogonal', (self.scale,), array)


class _Sampling(Initializer):
    """A kernel that resamples each channel linearly."""

    upsampling = True

    def __init__(self, interpolation='linear', dtype=None):
        if interpolation != 'linear':
            raise ValueError('Unsupported interpolation method: %s' % (interpolation,))
        super().__init__(dtype)

    def check(self, shape):
        in_c, out_c = shape[:2]
        assert in_c == out_c or out_c == 1
        for k in shape[3:]:
            if k != shape[2]:
                raise ValueError('ksize must be all same: %s != %s' % (shape[2], k))

    def __call__(self, array):
        self.check(array.shape)
        in_c, out_c = array.shape[:2]
        filt = numpy.ones(())
        for k in array.shape[2:]:
            factor = (k + 1) // 2
            centre = factor - 1.0 if k % 2 == 1 else factor - 0.5
            filt = numpy.multiply.outer(filt, 1.0 - abs(numpy.arange(k) - centre) / factor)
        if not self.upsampling:
            filt = filt / filt.sum()
        array[...] = 0
        rows = numpy.arange(in_c)
        array[rows, 0 if out_c == 1 else rows] = filt


class UpsamplingDeconvFilter(_Sampling):
    pass


class DownsamplingConvFilter(_Sampling):
    upsampling = False


class _Unknown(Initializer):
    def __call__(self, array):
        pass


def generate_array(initializer, shape, xp, dtype=None, device=None):
    d = getattr(initializer, 'dtype', None)
    if dtype is not None and d is not None and numpy.dtype(dtype) != numpy.dtype(d):
        raise ValueError('dtype mismatch: %s != %s' % (dtype, d))
    array = numpy.empty(shape, dtype=get_dtype(dtype if dtype is not None else d, map_mixed16=numpy.float16))
    initializer(array)
    return array


def _is_own(initializer):
    """Whether an initializer is a function or class of the program."""
    return callable(initializer) and not getattr(type(initializer), '__module__', '').startswith('chainer.')


def _fill(initializer, array):
    """Fills a parameter's array, or a part of it: of what Chainer's own initializers draw a note is kept."""
    if _is_own(initializer):
        initializer(array)
    elif hasattr(initializer, '_note'):
        initializer._note(array)
    else:
        _shapecheck.init('constant', (initializer,), array)


def _get_initializer(initializer, name='initializer'):
    if _shapecheck.is_unknown(initializer):
        return _Unknown(dtype=_shapecheck.unknown('the dtype of an initializer'))
    if initializer is None:
        return LeCunNormal()
    if numpy.isscalar(initializer) or isinstance(initializer, numpy.ndarray):
        return Constant(initializer)
    if not callable(initializer):
        raise TypeError('invalid type of %s: %s' % (name, type(initializer)))
    return initializer


def get_fans(shape):
    if len(shape) < 2:
        raise ValueError('shape must be of length >= 2: shape=%s' % (shape,))
    n = 1
    for d in shape[2:]:
        n = n * d
    return shape[1] * n, shape[0] * n
