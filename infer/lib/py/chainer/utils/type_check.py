# This file defines the checks of types that functions make of their inputs.
import _shapecheck
import numpy


class InvalidType(Exception):
    def __init__(self, expect, actual, msg=None):
        if msg is None:
            msg = 'Expect: {0}\nActual: {1}'.format(expect, actual)
        super().__init__(msg)
        self.expect = expect
        self.actual = actual

    def __getattr__(self, name):
        if name in ('expect', 'actual'):  # of one that a function of Chainer raised
            return _shapecheck.unknown('the condition of a type check')
        raise AttributeError("'InvalidType' object has no attribute '%s'" % name)


class TypeInfo:
    """What a check sees of an input."""

    def __init__(self, shape, dtype):
        self.shape = shape
        self.dtype = dtype
        self.ndim = len(shape)

    @property
    def size(self):
        return prod(self.shape)


class TypeInfoTuple(tuple):
    name = 'in_types'

    def size(self):
        return len(self)


def get_types(data, name, accept_none):
    return TypeInfoTuple([TypeInfo(x.shape, x.dtype) for x in data])


def expect(*bool_exprs):
    for e in bool_exprs:
        if not e:
            raise InvalidType('a condition of the type check', 'it does not hold')


def expect_broadcast_shapes(*shapes):
    try:
        numpy.broadcast(*[numpy.empty(s) for s in shapes])
    except ValueError:
        raise InvalidType('shapes that can be broadcast', ' '.join([str(s) for s in shapes]))


def argname(in_types, names):
    if len(in_types) != len(names):
        raise InvalidType('%d arguments' % len(names), '%d arguments' % len(in_types))


_argname = argname


def same_types(*arrays):
    return all([isinstance(x, numpy.ndarray) for x in arrays])


def eval(exp):
    return exp


def make_variable(value, name):
    return value


class Variable:
    def __new__(cls, value, name):
        return value


class Expr:
    pass


class Constant(Expr):
    pass


def prod(xs):
    n = 1
    for x in xs:
        n = n * x
    return n
