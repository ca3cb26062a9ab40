# The module fractions.
import math
import re
from numbers import Rational

_TEXT = (r'\s*([-+]?)(?=\d|\.\d)(\d*|\d+(?:_\d+)*)'
         r'(?:(?:\s*/\s*(\d+(?:_\d+)*))?|(?:\.(\d*|\d+(?:_\d+)*))?(?:E([-+]?\d+(?:_\d+)*))?)\s*\Z')
_MODULUS = 2 ** 61 - 1  # of hashes of numbers


class Fraction(Rational):
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                numerator, denominator = _read(numerator)
            elif isinstance(numerator, Rational):
                numerator, denominator = _parts(numerator)
            elif hasattr(numerator, 'as_integer_ratio'):
                numerator, denominator = numerator.as_integer_ratio()
            else:
                raise TypeError('argument should be a string or a Rational instance')
        elif isinstance(numerator, Rational) and isinstance(denominator, Rational):
            a, b = _parts(numerator)
            c, d = _parts(denominator)
            numerator, denominator = a * d, b * c
        else:
            raise TypeError('both arguments should be Rational instances')
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        g = math.gcd(numerator, denominator)
        if denominator < 0:
            g = -g
        self.numerator = numerator // g
        self.denominator = denominator // g

    def limit_denominator(self, max_denominator=1000000):
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        bound1 = Fraction(p0 + k * p1, q0 + k * q1)
        bound2 = Fraction(p1, q1)
        return bound2 if abs(bound2 - self) <= abs(bound1 - self) else bound1

    def _op(self, other, exact, inexact):
        if isinstance(other, float):
            return inexact(float(self), other)
        if isinstance(other, complex):
            return inexact(complex(float(self)), other)
        if isinstance(other, (int, Fraction)):
            return exact(self.numerator, self.denominator, *_parts(other))
        return NotImplemented

    def __add__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(a * d + c * b, b * d), lambda x, y: x + y)

    __radd__ = __add__

    def __sub__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(a * d - c * b, b * d), lambda x, y: x - y)

    def __rsub__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(c * b - a * d, b * d), lambda x, y: y - x)

    def __mul__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(a * c, b * d), lambda x, y: x * y)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(a * d, b * c), lambda x, y: x / y)

    def __rtruediv__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction(c * b, a * d), lambda x, y: y / x)

    def __floordiv__(self, other):
        return self._op(other, lambda a, b, c, d: (a * d) // (b * c), lambda x, y: x // y)

    def __rfloordiv__(self, other):
        return self._op(other, lambda a, b, c, d: (c * b) // (d * a), lambda x, y: y // x)

    def __rmod__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction((c * b) % (a * d), b * d), lambda x, y: y % x)

    def __divmod__(self, other):
        return self // other, self % other

    def __mod__(self, other):
        return self._op(other, lambda a, b, c, d: Fraction((a * d) % (c * b), b * d), lambda x, y: x % y)

    def __pow__(self, n):
        if isinstance(n, int):
            if n >= 0:
                return Fraction(self.numerator ** n, self.denominator ** n)
            return Fraction(self.denominator ** -n, self.numerator ** -n)
        if isinstance(n, complex):
            return complex(float(self)) ** n
        return float(self) ** float(n)

    def __rpow__(self, base):
        return base ** self.numerator if self.denominator == 1 and self.numerator >= 0 else base ** float(self)

    def __pos__(self):
        return Fraction(self)

    @property
    def real(self):
        return Fraction(self)

    @property
    def imag(self):
        return 0

    def conjugate(self):
        return Fraction(self)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def is_integer(self):
        return self.denominator == 1

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            return _parts(other) == (self.numerator, self.denominator)
        if isinstance(other, float):
            return math.isfinite(other) and other.as_integer_ratio() == (self.numerator, self.denominator)
        if isinstance(other, complex):
            return other.imag == 0 and self == other.real
        return NotImplemented

    def __hash__(self):
        try:
            inverse = pow(self.denominator, -1, _MODULUS)
        except ValueError:
            return 314159 if self.numerator > 0 else -314159
        h = hash(hash(abs(self.numerator)) * inverse)
        h = h if self.numerator >= 0 else -h
        return -2 if h == -1 else h

    def _compared(self, other, exact):
        if isinstance(other, float):
            if not math.isfinite(other):
                return exact(0.0, other)
            other = Fraction(other)
        if not isinstance(other, (int, Fraction)):
            return NotImplemented
        c, d = _parts(other)
        return exact(self.numerator * d, c * self.denominator)

    def __lt__(self, other):
        return self._compared(other, lambda x, y: x < y)

    def __le__(self, other):
        return self._compared(other, lambda x, y: x <= y)

    def __gt__(self, other):
        return self._compared(other, lambda x, y: x > y)

    def __ge__(self, other):
        return self._compared(other, lambda x, y: x >= y)

    def __bool__(self):
        return self.numerator != 0

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return self.__trunc__()

    def __trunc__(self):
        return -(-self.numerator // self.denominator) if self.numerator < 0 else self.numerator // self.denominator

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is not None:
            shift = Fraction(10) ** ndigits
            return Fraction(round(self * shift)) / shift
        floor, rest = divmod(self.numerator, self.denominator)
        if rest * 2 < self.denominator or rest * 2 == self.denominator and floor % 2 == 0:
            return floor
        return floor + 1

    def __repr__(self):
        return f'Fraction({self.numerator}, {self.denominator})'

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f'{self.numerator}/{self.denominator}'


def _read(text):
    """Numerator and denominator of a text: '3/4', '-1_000', '1.5e-2'."""
    sign, num, denom, decimal, exp = _matched(text)
    if decimal is None:
        numerator, denominator = int(num or '0'), int(denom or '1')
    else:
        decimal = decimal.replace('_', '')
        numerator, denominator = int((num or '0').replace('_', '') + decimal), 10 ** len(decimal)
    if exp is not None:
        if int(exp) >= 0:
            numerator *= 10 ** int(exp)
        else:
            denominator *= 10 ** -int(exp)
    return (-numerator if sign == '-' else numerator), denominator


def _matched(text):
    m = re.match(_TEXT, text, re.IGNORECASE)
    if m is None:
        raise ValueError('Invalid literal for Fraction: %r' % text)
    return m.groups()


def _parts(x):
    if isinstance(x, Fraction):
        return x.numerator, x.denominator
    if isinstance(x, float):
        return x.as_integer_ratio()
    return x, 1


def gcd(a, b):
    return math.gcd(a, b)
