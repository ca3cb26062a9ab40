# tf.debugging: what is known of ranks, dtypes, sizes and single numbers is checked when it is called; elements are not.
import operator
import _shapecheck
from . import errors
from ._core import INTS, FLOATS, Tensor, convert, name_of


def _number(x):
    """The one number of x, where it is known as the check is called: a symbolic one is looked at when the graph runs."""
    if isinstance(x, Tensor) and x._t:
        return None
    x = convert(x)
    if x is None or _shapecheck.is_unknown(x._a) or x._a.ndim != 0:
        return None
    v = float(x._a) if x._d in FLOATS else int(x._a)
    return None if _shapecheck.is_unknown(v) or not _shapecheck.certain((v,)) else v


def _compares(called, holds):
    def check(x, y, message=None, summarize=None, name=None):
        numbers = [_number(x), _number(y)]
        if None not in numbers and not holds(*numbers):
            raise errors.InvalidArgumentError(message=_failed(called, message))
    check.__name__ = check.__qualname__ = called
    return check


def _signs(called, holds):
    compare = _compares(called, holds)

    def check(x, message=None, summarize=None, name=None):
        compare(x, 0, message)
    check.__name__ = check.__qualname__ = called
    return check


def _failed(what, message):
    return (message + ' ' if isinstance(message, str) and message else '') + what + ' does not hold'


assert_equal = _compares('assert_equal', operator.eq)
assert_none_equal = _compares('assert_none_equal', operator.ne)
assert_less = _compares('assert_less', operator.lt)
assert_less_equal = _compares('assert_less_equal', operator.le)
assert_greater = _compares('assert_greater', operator.gt)
assert_greater_equal = _compares('assert_greater_equal', operator.ge)
assert_positive = _signs('assert_positive', operator.gt)
assert_negative = _signs('assert_negative', operator.lt)
assert_non_negative = _signs('assert_non_negative', operator.ge)
assert_non_positive = _signs('assert_non_positive', operator.le)


def _ranks(called, holds):
    def check(x, rank, message=None, name=None):
        t = convert(x)
        n = None if t is None or _shapecheck.is_unknown(t._a) else t._a.ndim
        if n is not None and isinstance(rank, (int, list, tuple)) and not holds(n, rank):
            raise ValueError(_failed(called, message) + ': the rank is ' + str(n))
    check.__name__ = check.__qualname__ = called
    return check


assert_rank = _ranks('assert_rank', lambda n, r: n == r)
assert_rank_at_least = _ranks('assert_rank_at_least', lambda n, r: n >= r)
assert_rank_in = _ranks('assert_rank_in', lambda n, r: n in r)


def assert_scalar(tensor, name=None, message=None):
    assert_rank(tensor, 0, message)
    return tensor


def assert_type(tensor, tf_type, message=None, name=None):
    t, d = convert(tensor), name_of(tf_type)
    if t is not None and d is not None and t._d != d:
        raise TypeError(_failed('assert_type', message) + ': the dtype is ' + t._d)


def assert_integer(x, message=None, name=None):
    t = convert(x)
    if t is not None and t._d not in INTS:
        raise TypeError(_failed('assert_integer', message) + ': the dtype is ' + t._d)


def is_numeric_tensor(tensor):
    t = convert(tensor)
    return _shapecheck.unknown('whether a value is a numeric tensor') if t is None else t._d not in ('bool', 'string')


def _unchecked(*args, **kw):
    return None


assert_all_finite = assert_shapes = assert_near = enable_check_numerics = disable_check_numerics = set_log_device_placement = _unchecked


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.debugging.' + name)
