
# The module decimal: a sign, an integer and a power of ten, rounded to the context's digits as
# the General Decimal Arithmetic specification (speleotrove.com/decimal) says. NaN and
# infinities are not known.
import re
from fractions import Fraction
from _shapecheck import unknown

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_HALF_DOWN, ROUND_05UP = (
    'ROUND_DOWN', 'ROUND_HALF_UP', 'ROUND_HALF_EVEN', 'ROUND_CEILING', 'ROUND_FLOOR', 'ROUND_UP', 'ROUND_HALF_DOWN', 'ROUND_05UP')


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    pass


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, **kwargs):
        self.prec, self.rounding = prec, rounding

    def __enter__(self):
        global _context
        self._outer, _context = _context, self
        return self

    def __exit__(self, *args):
        global _context
        _context = self._outer


_context = Context()


def getcontext():
    return _context


def setcontext(context):
    global _context
    _context = context


def localcontext(ctx=None, **kwargs):
    ctx = ctx or _context
    return Context(**{'prec': ctx.prec, 'rounding': ctx.rounding, **kwargs})


def _up(sign, n, unit, rounding):
    """Whether n / unit, cut to an integer, is rounded away from zero."""
    q, r = divmod(n, unit)
    if rounding == ROUND_05UP:
        return r > 0 and q % 5 == 0
    if rounding in (ROUND_DOWN, ROUND_UP):
        return r > 0 and rounding == ROUND_UP
    if rounding in (ROUND_CEILING, ROUND_FLOOR):
        return r > 0 and sign == (rounding == ROUND_FLOOR)
    if r * 2 != unit:
        return r * 2 > unit
    return rounding == ROUND_HALF_UP or rounding == ROUND_HALF_EVEN and q % 2 == 1


def _made(sign, n, exp):
    d = object.__new__(Decimal)
    d._sign, d._int, d._exp = bool(sign), n, exp
    return d


def _rescaled(sign, n, exp, to, rounding):
    """The number with the exponent to."""
    if exp >= to:
        return _made(sign, n * 10 ** (exp - to), to)
    unit = 10 ** (to - exp)
    return _made(sign, n // unit + _up(sign, n, unit, rounding), to)


def _rounded(sign, n, exp):
    """The number with no more digits than the context has."""
    over = len(str(n)) - _context.prec
    if over <= 0:
        return _made(sign, n, exp)
    d = _rescaled(sign, n, exp, exp + over, _context.rounding)
    if len(str(d._int)) > _context.prec:
        d = _made(sign, d._int // 10, d._exp + 1)
    return d


def _operand(x):
    if isinstance(x, Decimal):
        return x
    return Decimal(x) if isinstance(x, int) else None


_NUMBER = re.compile(r'([-+])?(?=[0-9]|[.][0-9])([0-9]*)(?:[.]([0-9]*))?(?:e([-+]?[0-9]+))?')


class Decimal:
    def __init__(self, value='0', context=None):
        if isinstance(value, str):
            m = _NUMBER.fullmatch(value.strip().replace('_', '').lower())
            if m is None:
                if re.fullmatch('[-+]?(inf|infinity|s?nan[0-9]*)', value.strip().lower()):
                    self._sign = self._int = self._exp = unknown('a decimal number that is not finite')
                    return
                raise InvalidOperation([ConversionSyntax])
            sign, whole, part, exp = m.groups()
            self._sign, self._int, self._exp = sign == '-', int(whole + (part or '')), int(exp or 0) - len(part or '')
        elif isinstance(value, Decimal):
            self._sign, self._int, self._exp = value._sign, value._int, value._exp
        elif isinstance(value, int):
            self._sign, self._int, self._exp = value < 0, abs(int(value)), 0
        elif isinstance(value, float):
            if value != value or value in (float('inf'), float('-inf')):
                self._sign = self._int = self._exp = unknown('a decimal number that is not finite')
                return
            n, d = value.as_integer_ratio()
            k = d.bit_length() - 1
            self._sign, self._int, self._exp = str(value)[0] == '-', abs(n) * 5 ** k, -k
        elif isinstance(value, (tuple, list)):
            sign, digits, exp = value
            self._sign, self._int, self._exp = sign == 1, int(''.join(str(x) for x in digits) or '0'), exp
        else:
            raise TypeError(f'conversion from {type(value).__name__} to Decimal is not supported')

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def _value(self):
        n = -self._int if self._sign else self._int
        return Fraction(n * 10 ** self._exp) if self._exp >= 0 else Fraction(n, 10 ** -self._exp)

    def _signed(self, exp):
        n = self._int * 10 ** (self._exp - exp)
        return -n if self._sign else n

    def __add__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        exp = min(self._exp, other._exp)
        n = self._signed(exp) + other._signed(exp)
        return _rounded(n < 0 or n == 0 and self._sign and other._sign, abs(n), exp)

    __radd__ = __add__

    def __sub__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else self + _made(not other._sign, other._int, other._exp)

    def __rsub__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else other - self

    def __mul__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        return _rounded(self._sign != other._sign, self._int * other._int, self._exp + other._exp)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        if other._int == 0:
            if self._int == 0:
                raise InvalidOperation([DivisionUndefined])
            raise DivisionByZero([DivisionByZero])
        sign, ideal = self._sign != other._sign, self._exp - other._exp
        if self._int == 0:
            return _rounded(sign, 0, ideal)
        shift = len(str(other._int)) - len(str(self._int)) + _context.prec + 1
        n, d = self._int, other._int
        if shift >= 0:
            n *= 10 ** shift
        else:
            d *= 10 ** -shift
        q, r = divmod(n, d)
        exp = ideal - shift
        if r:
            if q % 5 == 0:
                q += 1
        else:
            while exp < ideal and q % 10 == 0:
                q, exp = q // 10, exp + 1
        return _rounded(sign, q, exp)

    def __rtruediv__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else other / self

    def __divmod__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        if other._int == 0:
            raise InvalidOperation([DivisionUndefined])
        exp = min(self._exp, other._exp)
        q, r = divmod(abs(self._signed(exp)), abs(other._signed(exp)))
        if len(str(q)) > _context.prec:
            raise InvalidOperation([InvalidOperation])
        return _made(self._sign != other._sign, q, 0), _rounded(self._sign, r, exp)

    def __floordiv__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        if other._int == 0 and self._int:
            raise DivisionByZero([DivisionByZero])
        return self.__divmod__(other)[0]

    def __mod__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        if other._int == 0:
            raise InvalidOperation([DivisionUndefined if self._int == 0 else InvalidOperation])
        return self.__divmod__(other)[1]

    def __rfloordiv__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else other // self

    def __rmod__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else other % self

    def __pow__(self, other):
        other = _operand(other)
        if other is None:
            return NotImplemented
        n = other._value()
        if n.denominator == 1 and 0 < n <= 1000 and self._int:
            return _rounded(self._sign and n % 2 == 1, self._int ** int(n), self._exp * int(n))
        return unknown('a power of a decimal number')

    def __rpow__(self, other):
        other = _operand(other)
        return NotImplemented if other is None else other ** self

    def __neg__(self):
        return _rounded(not self._sign and self._int != 0, self._int, self._exp)

    def __pos__(self):
        return _rounded(self._sign and self._int != 0, self._int, self._exp)

    def __abs__(self):
        return _rounded(False, self._int, self._exp)

    def _compared(self, other):
        if isinstance(other, (int, float)):
            if other != other or other in (float('inf'), float('-inf')):
                return None
            return self._value(), Fraction(other)
        return (self._value(), other._value()) if isinstance(other, Decimal) else None

    def __eq__(self, other):
        if isinstance(other, float) and (other != other or other in (float('inf'), float('-inf'))):
            return False
        pair = self._compared(other)
        return NotImplemented if pair is None else pair[0] == pair[1]

    def __hash__(self):
        return hash(self._value())

    def _ordered(self, other):
        if isinstance(other, float) and other != other:
            raise InvalidOperation([InvalidOperation])
        if isinstance(other, float) and other in (float('inf'), float('-inf')):
            return 0, 1 if other > 0 else -1
        return self._compared(other)

    def __lt__(self, other):
        pair = self._ordered(other)
        return NotImplemented if pair is None else pair[0] < pair[1]

    def __le__(self, other):
        pair = self._ordered(other)
        return NotImplemented if pair is None else pair[0] <= pair[1]

    def __gt__(self, other):
        pair = self._ordered(other)
        return NotImplemented if pair is None else pair[0] > pair[1]

    def __ge__(self, other):
        pair = self._ordered(other)
        return NotImplemented if pair is None else pair[0] >= pair[1]

    def __float__(self):
        return float(str(self))

    def __int__(self):
        n = self._int * 10 ** self._exp if self._exp >= 0 else self._int // 10 ** -self._exp
        return -n if self._sign else n

    __trunc__ = __int__

    def __floor__(self):
        return self._value().__floor__()

    def __ceil__(self):
        return self._value().__ceil__()

    def __round__(self, ndigits=None):
        if ndigits is None:
            return round(self._value())
        return self.quantize(_made(False, 1, -ndigits), ROUND_HALF_EVEN)

    def quantize(self, exp, rounding=None, context=None):
        d = _rescaled(self._sign, self._int, self._exp, _operand(exp)._exp, rounding or _context.rounding)
        if len(str(d._int)) > _context.prec:
            raise InvalidOperation([InvalidOperation])
        return d

    def to_integral_value(self, rounding=None, context=None):
        return self if self._exp >= 0 else _rescaled(self._sign, self._int, self._exp, 0, rounding or _context.rounding)

    def sqrt(self, context=None):
        return unknown('the root of a decimal number')

    ln = log10 = exp = sqrt

    def _fixed(self):
        return _rounded(self._sign, self._int, self._exp)

    def normalize(self, context=None):
        d = self._fixed()
        n, exp = d._int, d._exp
        while n and n % 10 == 0:
            n, exp = n // 10, exp + 1
        return _made(d._sign, n, exp if n else 0)

    def as_tuple(self):
        from collections import namedtuple
        return namedtuple('DecimalTuple', 'sign digits exponent')(int(self._sign), tuple(int(c) for c in str(self._int)), self._exp)

    def as_integer_ratio(self):
        v = self._value()
        return v.numerator, v.denominator

    def adjusted(self):
        return len(str(self._int)) - 1 + self._exp

    def copy_abs(self):
        return _made(False, self._int, self._exp)

    def copy_negate(self):
        return _made(not self._sign, self._int, self._exp)

    def is_zero(self):
        return self._int == 0

    def is_signed(self):
        return self._sign

    def is_finite(self):
        return self._int >= 0

    def is_nan(self):
        return self._int < 0

    is_infinite = is_nan

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return Decimal(0)

    def conjugate(self):
        return self

    def max(self, other, context=None):
        return _operand(other)._fixed() if self < other else self._fixed()

    def min(self, other, context=None):
        return _operand(other)._fixed() if self > other else self._fixed()

    def compare(self, other, context=None):
        other = _operand(other)
        return Decimal((self > other) - (self < other))

    def __bool__(self):
        return self._int != 0

    def __repr__(self):
        return "Decimal('" + str(self) + "')"

    def __str__(self):
        digits, exp = str(self._int), self._exp
        point = exp + len(digits) if exp <= 0 and exp + len(digits) > -6 else 1
        if point <= 0:
            text = '0.' + '0' * -point + digits
        elif point >= len(digits):
            text = digits
        else:
            text = digits[:point] + '.' + digits[point:]
        shift = exp + len(digits) - point
        return ('-' if self._sign else '') + text + (f'E{shift:+d}' if shift else '')

    def __format__(self, spec):
        m = re.fullmatch(r'([,_]?)(?:[.]([0-9]+))?(f?)', spec)
        if m is None or m[2] is None and m[3]:
            return unknown('the digits of a decimal number')
        if m[2] is None:
            return str(self) if not spec else unknown('the digits of a decimal number')
        if not m[3]:
            return unknown('the digits of a decimal number')
        text = str(_rescaled(False, self._int, self._exp, -int(m[2]), ROUND_HALF_EVEN)._int).zfill(int(m[2]) + 1)
        whole, part = text[:len(text) - int(m[2])], text[len(text) - int(m[2]):]
        return ('-' if self._sign else '') + format(int(whole), m[1]) + ('.' + part if part else '')
