# This file defines polynomials of known coefficients, which models use to make
# binomial filters.
import numpy as np  # its names are there by the time they are used


class poly1d:
    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            coeffs = list(c_or_r._list)
        elif r:
            coeffs = [1.0]
            for root in c_or_r:
                coeffs = _product(coeffs, [1.0, -root])
        else:
            coeffs = list(c_or_r) if isinstance(c_or_r, (list, tuple, np.ndarray)) else [c_or_r]
        while len(coeffs) > 1 and coeffs[0] == 0:
            coeffs = coeffs[1:]
        self._list = coeffs

    @property
    def coeffs(self):
        return np.array(self._list)

    c = coef = coefficients = coeffs

    @property
    def order(self):
        return len(self._list) - 1

    o = order

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._list)

    def __getitem__(self, power):
        return self._list[self.order - power] if 0 <= power <= self.order else 0

    def __call__(self, x):
        y = x * 0
        for c in self._list:
            y = y * x + c
        return y

    def __neg__(self):
        return poly1d([-c for c in self._list])

    def __mul__(self, other):
        return poly1d(_product(self._list, poly1d(other)._list))

    __rmul__ = __mul__

    def __pow__(self, n):
        coeffs = [1.0]
        for _ in range(n):
            coeffs = _product(coeffs, self._list)
        return poly1d(coeffs)

    def __add__(self, other):
        a, b = self._list, poly1d(other)._list
        n = max(len(a), len(b))
        a, b = [0] * (n - len(a)) + a, [0] * (n - len(b)) + b
        return poly1d([x + y for x, y in zip(a, b)])

    __radd__ = __add__

    def __sub__(self, other):
        return self + -poly1d(other)

    def __rsub__(self, other):
        return poly1d(other) + -self


def _product(a, b):
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] = out[i + j] + x * y
    return out
