# The module decimal, over fractions: exact where Python rounds to 28 digits.
import re
from fractions import Fraction
from _shapecheck import unknown

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_HALF_DOWN, ROUND_05UP = (
    'ROUND_DOWN', 'ROUND_HALF_UP', 'ROUND_HALF_EVEN', 'ROUND_CEILING', 'ROUND_FLOOR', 'ROUND_UP', 'ROUND_HALF_DOWN', 'ROUND_05UP')


class InvalidOperation(ArithmeticError):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class Context:
    def __init__(self, prec=28, **kwargs):
        self.prec = prec


_context = Context()


def getcontext():
    return _context


def setcontext(context):
    pass


def localcontext(ctx=None, **kwargs):
    from contextlib import nullcontext
    return nullcontext(_context)


def _fraction(x):
    if isinstance(x, Decimal):
        return x._value
    return Fraction(x)


class Decimal:
    _text = None  # str() of it, where that is known: Python keeps zeros at the end

    def __init__(self, value='0', context=None):
        if isinstance(value, str):
            if re.fullmatch(r'-?(0|[1-9][0-9]*)([.][0-9]{1,6})?', value):
                self._text = value
            text, _, exponent = value.strip().lower().partition('e')
            try:
                self._value = Fraction(text) * Fraction(10) ** int(exponent or 0)
            except ValueError:
                raise InvalidOperation([ConversionSyntax]) from None
        else:
            self._value = _fraction(value)
            if isinstance(value, int):
                self._text = str(int(value))
            elif isinstance(value, Decimal):
                self._text = value._text

    def _new(self, value):
        d = Decimal()
        d._value = value
        return d

    def __add__(self, other):
        return self._new(self._value + _fraction(other))

    __radd__ = __add__

    def __sub__(self, other):
        return self._new(self._value - _fraction(other))

    def __rsub__(self, other):
        return self._new(_fraction(other) - self._value)

    def __mul__(self, other):
        return self._new(self._value * _fraction(other))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._new(self._value / _fraction(other))

    def __rtruediv__(self, other):
        return self._new(_fraction(other) / self._value)

    def __neg__(self):
        return self._new(-self._value)

    def __abs__(self):
        return self._new(abs(self._value))

    def __eq__(self, other):
        return self._value == _fraction(other)

    def __hash__(self):
        return hash(self._value)

    def __lt__(self, other):
        return self._value < _fraction(other)

    def __le__(self, other):
        return self._value <= _fraction(other)

    def __gt__(self, other):
        return self._value > _fraction(other)

    def __ge__(self, other):
        return self._value >= _fraction(other)

    def __float__(self):
        return float(self._value)

    def __int__(self):
        return int(self._value)

    def __floor__(self):
        return self._value.__floor__()

    def __ceil__(self):
        return self._value.__ceil__()

    def __round__(self, ndigits=None):
        if ndigits is None:
            return round(self._value)
        scale = 10 ** ndigits
        return self._new(Fraction(round(self._value * scale), scale))

    def quantize(self, exp, rounding=None, context=None):
        step = _fraction(exp)
        q = self._value / step
        if rounding == ROUND_HALF_UP:
            n = (abs(q) + Fraction(1, 2)).__floor__() * (1 if q >= 0 else -1)
        elif rounding == ROUND_DOWN:
            n = int(q)
        elif rounding == ROUND_FLOOR:
            n = q.__floor__()
        elif rounding == ROUND_CEILING:
            n = q.__ceil__()
        else:
            n = round(q)
        return self._new(step * n)

    def __bool__(self):
        return bool(self._value)

    def __repr__(self):
        if self._text is None:
            return unknown('the digits of a decimal number')
        return "Decimal('" + self._text + "')"

    def __str__(self):
        if self._text is None:
            return unknown('the digits of a decimal number')
        return self._text
