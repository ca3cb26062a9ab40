# This file defines the classes of polynomials with a domain and a window.
import _shapecheck
import numpy as np

from . import polyutils as pu


_NAMED = not np.__version__.startswith('1.23')  # since numpy 1.24 the variable has a name


class ABCPolyBase:
    __hash__ = None
    __array_ufunc__ = None
    maxpower = 100
    basis_name = None

    def __init__(self, coef, domain=None, window=None, symbol=None):
        [self.coef] = pu.as_series([coef], trim=False)
        if domain is not None:
            [self.domain] = pu.as_series([domain], trim=False)
            if len(self.domain) != 2:
                raise ValueError('Domain has wrong number of elements.')
        if window is not None:
            [self.window] = pu.as_series([window], trim=False)
            if len(self.window) != 2:
                raise ValueError('Window has wrong number of elements.')
        if symbol is not None:
            if not _NAMED:
                raise TypeError("got an unexpected keyword argument 'symbol'")
            if not isinstance(symbol, str):
                raise TypeError('Symbol must be a non-empty string')
            if not symbol.isidentifier():
                raise ValueError('Symbol string must be a valid Python identifier')
        self._symbol = 'x' if symbol is None else symbol

    def _like(self, coef):
        return self.__class__(coef, self.domain, self.window, self._symbol if _NAMED else None)

    def _coefficients(self, other):
        if not isinstance(other, ABCPolyBase):
            return other
        if not isinstance(other, self.__class__):
            raise TypeError('Polynomial types differ')
        for what in ('domain', 'window'):
            mine, theirs = getattr(self, what).tolist(), getattr(other, what).tolist()
            if any(not _shapecheck.is_symbolic(a) and not _shapecheck.is_symbolic(b) and a != b for a, b in zip(mine, theirs)):
                raise TypeError(what.capitalize() + 's differ')
        return other.coef

    def _binary(self, name, a, b):
        try:
            return self._like(self._family[name](a, b))
        except (ValueError, TypeError):
            return NotImplemented

    def has_samecoef(self, other):
        return len(self.coef) == len(other.coef) and np.all(self.coef == other.coef)

    def has_samedomain(self, other):
        return np.all(self.domain == other.domain)

    def has_samewindow(self, other):
        return np.all(self.window == other.window)

    def has_sametype(self, other):
        return isinstance(other, self.__class__)

    def __call__(self, arg):
        if isinstance(arg, ABCPolyBase):
            return arg._like(np.empty(((len(self) - 1) * (len(arg) - 1) + 1,), np.result_type(self.coef.dtype, np.float64)))
        return self._family['val'](pu.mapdomain(arg, self.domain, self.window), self.coef)

    def __iter__(self):
        return iter(self.coef)

    def __len__(self):
        return len(self.coef)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._binary('add', self.coef, self._coefficients(other))

    def __radd__(self, other):
        return self._binary('add', other, self.coef)

    def __sub__(self, other):
        return self._binary('sub', self.coef, self._coefficients(other))

    def __rsub__(self, other):
        return self._binary('sub', other, self.coef)

    def __mul__(self, other):
        return self._binary('mul', self.coef, self._coefficients(other))

    def __rmul__(self, other):
        return self._binary('mul', other, self.coef)

    def __truediv__(self, other):
        if not isinstance(other, (int, float, complex, np.number)) or isinstance(other, bool):
            raise TypeError(f"unsupported types for true division: '{type(self).__name__}', '{type(other).__name__}'")
        return self // other

    def _divided(self, a, b):
        try:
            quo, rem = self._family['div'](a, b)
        except (ValueError, TypeError):
            return NotImplemented
        return self._like(quo), self._like(rem)

    def __divmod__(self, other):
        return self._divided(self.coef, self._coefficients(other))

    def __rdivmod__(self, other):
        return self._divided(other, self.coef)

    def __floordiv__(self, other):
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[0]

    def __mod__(self, other):
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[1]

    def __rfloordiv__(self, other):
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[0]

    def __rmod__(self, other):
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[1]

    def __pow__(self, other):
        return self._like(self._family['pow'](self.coef, other, maxpower=self.maxpower))

    def __eq__(self, other):
        return isinstance(other, self.__class__) and self.coef.shape == other.coef.shape and np.all(self.coef == other.coef)

    def __ne__(self, other):
        return not self.__eq__(other)

    def copy(self):
        return self._like(self.coef)

    def degree(self):
        return len(self) - 1

    def cutdeg(self, deg):
        return self.truncate(deg + 1)

    def trim(self, tol=0):
        return self._like(pu.trimcoef(self.coef, tol))

    def truncate(self, size):
        n = int(size)
        if n != size or n < 1:
            raise ValueError('size must be a positive integer')
        return self._like(self.coef[:n])

    def convert(self, domain=None, kind=None, window=None):
        kind = self.__class__ if kind is None else kind
        domain, window = kind._domains(domain, window)
        c = pu.trimseq(self.coef)
        return kind(np.empty((len(c),), np.result_type(c.dtype, np.float64)), domain, window)

    def mapparms(self):
        return pu.mapparms(self.domain, self.window)

    def integ(self, m=1, k=[], lbnd=None):
        off, scl = self.mapparms()
        return self._like(self._family['int'](self.coef, m, k, 0 if lbnd is None else off + scl * lbnd, 1.0 / scl))

    def deriv(self, m=1):
        return self._like(self._family['der'](self.coef, m, self.mapparms()[1]))

    def roots(self):
        return pu.mapdomain(self._family['roots'](self.coef), self.window, self.domain)

    def linspace(self, n=100, domain=None):
        domain = self.domain if domain is None else domain
        x = np.linspace(domain[0], domain[1], n)
        return x, self(x)

    @classmethod
    def _domains(cls, domain, window):
        if domain is None or isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        return domain, cls.window if window is None else window

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol=None):
        domain, window = cls._domains(pu.getdomain(x) if domain is None else domain, window)
        found = cls._family['fit'](pu.mapdomain(x, domain, window), y, deg, rcond=rcond, full=full, w=w)
        if full:
            return cls(found[0], domain=domain, window=window, symbol=symbol), found[1]
        return cls(found, domain=domain, window=window, symbol=symbol)

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol=None):
        [roots] = pu.as_series([roots], trim=False)
        domain, window = cls._domains(pu.getdomain(roots) if domain is None else domain, window)
        off, scl = pu.mapparms(domain, window)
        return cls(cls._family['fromroots'](off + scl * roots), domain=domain, window=window, symbol=symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol=None):
        domain, window = cls._domains(domain, window)
        off, scl = pu.mapparms(window, domain)
        return cls(cls._family['line'](off, scl), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol=None):
        domain, window = cls._domains(domain, window)
        n = int(deg)
        if n != deg or n < 0:
            raise ValueError('deg must be non-negative integer')
        return cls([0] * n + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        domain, window = cls._domains(domain, window)
        return series.convert(domain, cls, window)


if _NAMED:
    ABCPolyBase.symbol = property(lambda self: self._symbol)


def of_family(cls, prefix, names):
    """Completes a class of polynomials: the functions of its module, its domain and window."""
    cls._family = {n[len(prefix) :]: f for n, f in names.items() if n.startswith(prefix)}
    cls.domain = np.array(names[prefix + 'domain'])
    cls.window = np.array(names[prefix + 'domain'])
