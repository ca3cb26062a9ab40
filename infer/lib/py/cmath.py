# The module cmath, for concrete numbers.
import math

pi = math.pi
e = math.e
tau = math.tau
inf = math.inf
nan = math.nan


def phase(x):
    x = complex(x)
    return math.atan2(x.imag, x.real)


def polar(x):
    return abs(complex(x)), phase(x)


def rect(r, phi):
    return complex(r * math.cos(phi), r * math.sin(phi))


def exp(x):
    x = complex(x)
    return rect(math.exp(x.real), x.imag)


def log(x, base=None):
    r = complex(math.log(abs(complex(x))), phase(x))
    return r if base is None else r / log(base)


def sqrt(x):
    x = complex(x)
    if x == 0:
        return complex(0.0, x.imag)
    r = abs(x)
    re = math.sqrt((r + abs(x.real)) / 2)
    im = abs(x.imag) / (2 * re)
    if x.real < 0:
        re, im = im, re
    return complex(re, math.copysign(im, x.imag))


def cos(x):
    x = complex(x)
    return complex(math.cos(x.real) * math.cosh(x.imag), -math.sin(x.real) * math.sinh(x.imag))


def sin(x):
    x = complex(x)
    return complex(math.sin(x.real) * math.cosh(x.imag), math.cos(x.real) * math.sinh(x.imag))


def isnan(x):
    x = complex(x)
    return math.isnan(x.real) or math.isnan(x.imag)


def isinf(x):
    x = complex(x)
    return math.isinf(x.real) or math.isinf(x.imag)


def isfinite(x):
    return not isnan(x) and not isinf(x)


infj = complex(0.0, inf)
nanj = complex(0.0, nan)


def log10(x):
    return log(x) / math.log(10)


def sinh(x):
    x = complex(x)
    return complex(math.sinh(x.real) * math.cos(x.imag), math.cosh(x.real) * math.sin(x.imag))


def cosh(x):
    x = complex(x)
    return complex(math.cosh(x.real) * math.cos(x.imag), math.sinh(x.real) * math.sin(x.imag))


def tan(x):
    return sin(x) / cos(x)


def tanh(x):
    return sinh(x) / cosh(x)


def asin(x):
    return -1j * log(1j * x + sqrt(1 - complex(x) * x))


def acos(x):
    return math.pi / 2 - asin(x)


def atan(x):
    return 0.5j * (log(1 - 1j * x) - log(1 + 1j * x))


def asinh(x):
    return log(x + sqrt(complex(x) * x + 1))


def acosh(x):
    return log(x + sqrt(x + 1) * sqrt(x - 1))


def atanh(x):
    return (log(1 + x) - log(1 - x)) / 2


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
