# This file defines Parameter, a Variable that a Link registers. Without a shape it
# waits for initialize.
import _shapecheck
import numpy
from chainer import Variable, _make_parameter, _give_shape, _shape_in_file, _share_array
from ._config import get_dtype


def _initializer_of(value):
    from .initializers import _get_initializer
    return _get_initializer(value)


def _own_array(initializer, shape):
    """What an initializer of the program's own makes; None without one."""
    from .initializers import _is_own, generate_array
    return generate_array(initializer, shape, numpy) if shape is not None and _is_own(initializer) else None


def _fill(param):
    from .initializers import _fill
    _fill(param.initializer, param)


class Parameter(Variable):
    initializer = None
    update_rule = None

    def __new__(cls, initializer=None, shape=None, name=None, layout=None):
        if _shapecheck.is_unknown(initializer):
            if shape is None:
                return _shapecheck.unknown('a parameter of which it is not known whether it has its array')
            initializer = _initializer_of(initializer)
        if initializer is None:
            initializer = numpy.nan
        elif isinstance(initializer, (str, bytes, complex)):  # numpy.isscalar takes them too
            initializer = _initializer_of(initializer)
        if isinstance(initializer, numpy.ndarray) and shape is not None:
            initializer = _initializer_of(initializer)
        if isinstance(initializer, numpy.ndarray):
            param = _make_parameter(cls, initializer, None, None)
        else:
            if shape is not None and hasattr(initializer, 'check'):
                initializer.check(shape)
            array = _own_array(initializer, shape)
            param = _make_parameter(cls, array, shape, cls._dtype_of(initializer))
            param.initializer = initializer
            if shape is not None and array is None:
                _fill(param)
        param.initializer = initializer
        if name is not None:
            param.name = name
        return param

    def __init__(self, initializer=None, shape=None, name=None, *, layout=None):
        pass

    @staticmethod
    def _dtype_of(initializer):
        dtype = getattr(initializer, 'dtype', None)
        return get_dtype(dtype, map_mixed16=numpy.float16)

    def initialize(self, shape):
        if self._waits:
            if hasattr(self.initializer, 'check'):
                self.initializer.check(shape)
            _shapecheck.before_call(self._initialize, shape)
            for other in self.__dict__.get('_sharers', ()):
                if other is not self:
                    _share_array(other, self)

    def _initialize(self, shape):
        array = _own_array(self.initializer, shape)
        if array is None:
            _give_shape(self, shape, self._dtype_of(self.initializer))
            _fill(self)
        else:
            _share_array(self, _make_parameter(type(self), array, None, None))

    def update(self):
        if self.update_rule is not None:
            self.update_rule.update(self)

    def copy_of(self):
        if self._waits:
            new = _make_parameter(type(self), None, None, self.dtype)
            _shape_in_file(new, self.array)
        else:
            new = _make_parameter(type(self), self.array.copy(), None, None)
        new.initializer = self.initializer
        new.name = self.name
        return new

    def __copy__(self):
        # Another parameter with the same array, also with the one that it gets later.
        new = _make_parameter(type(self), None, None, self._dtype_of(self.initializer))
        new.initializer = self.initializer
        new.update_rule = self.update_rule
        new.name = self.name
        if not self._waits:
            _share_array(new, self)
        else:
            sharers = self.__dict__.setdefault('_sharers', [self])
            sharers.append(new)
            new.__dict__['_sharers'] = sharers
        return new

    def __deepcopy__(self, memo):
        new = self.copy_of()
        memo[id(self)] = new
        return new
