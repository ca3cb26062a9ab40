# This file defines the checks of types that functions make of their inputs: conditions are expressions, which remember how
# they are written, and say so where they do not hold.
import _shapecheck
import numpy
import operator


class _Check:
    """The check that runs: of which function, and whether it has asked for the value of an expression."""

    function = None
    asked = False


class InvalidType(Exception):
    def __init__(self, expect, actual, msg=None):
        if msg is None:
            msg = 'Expect: {0}\nActual: {1}'.format(expect, actual)
            if _Check.function is not None:
                msg = '\nInvalid operation is performed in: {0} (Forward)\n\n{1}'.format(_Check.function.label, msg)
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


class LightTypeInfoTuple(tuple):
    name = 'in_types'

    def size(self):
        return len(self)


class TypeInfoTuple(LightTypeInfoTuple):
    def size(self):
        return Variable(len(self), '{0}.size'.format(self.name))


def get_types(data, name, accept_none):
    types = TypeInfoTuple([Variable(TypeInfo(x.shape, x.dtype), '{0}[{1}]'.format(name, i)) for i, x in enumerate(data)])
    types.name = name
    return types


def _check_function(function, data):
    # Chainer checks with plain values first, and with expressions where a condition does not hold: then a check that asks for the
    # truth of an expression fails.
    outer = _Check.function, _Check.asked
    _Check.function, _Check.asked = function, False
    try:
        function.check_type_forward(get_types(data, 'in_types', False))
    except (TypeError, AttributeError):  # it does something with values that expressions do not do
        function.check_type_forward(LightTypeInfoTuple([TypeInfo(x.shape, x.dtype) for x in data]))
    finally:
        _Check.function, _Check.asked = outer


def _text(v):
    if isinstance(v, Expr):
        return str(v)
    if isinstance(v, list):
        return '[%s]' % ', '.join([_text(x) for x in v])
    if isinstance(v, tuple):
        return '(%s%s)' % (', '.join([_text(x) for x in v]), ',' if len(v) == 1 else '')
    return repr(v)


def _value(v):
    if isinstance(v, Expr):
        return v.eval()
    if isinstance(v, (list, tuple)):
        return type(v)([_value(x) for x in v])
    return v


def _binary(sign, priority, function):
    return lambda x, y: BinaryOperator(priority, x, y, sign, function), lambda x, y: BinaryOperator(priority, y, x, sign, function)


def _comparison(sign, opposite, function):
    return lambda x, y: BoolBinaryOperator(x, y, sign, opposite, function)


class Expr:
    """An expression of sizes and dtypes; priority is that of its operator."""

    def __init__(self, priority):
        self.priority = priority

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return GetAttr(self, name)

    def __getitem__(self, key):
        return GetItem(self, key)

    def __call__(self, *args):
        return Call(self, args)

    def __iter__(self):
        return iter(self.eval())

    def __len__(self):
        return len(self.eval())

    def __index__(self):
        return self.eval()

    def __bool__(self):
        if _Check.function is None:
            raise RuntimeError(_NO_BOOL)
        _Check.asked = True
        return bool(self.eval())

    __eq__ = _comparison('==', '!=', operator.eq)
    __ne__ = _comparison('!=', '==', operator.ne)
    __lt__ = _comparison('<', '>=', operator.lt)
    __le__ = _comparison('<=', '>', operator.le)
    __gt__ = _comparison('>', '<=', operator.gt)
    __ge__ = _comparison('>=', '<', operator.ge)
    __add__, __radd__ = _binary('+', 4, operator.add)
    __sub__, __rsub__ = _binary('-', 4, operator.sub)
    __mul__, __rmul__ = _binary('*', 5, operator.mul)
    __truediv__, __rtruediv__ = _binary('/', 5, operator.truediv)
    __floordiv__, __rfloordiv__ = _binary('//', 5, operator.floordiv)
    __mod__, __rmod__ = _binary('%', 5, operator.mod)
    __lshift__, __rlshift__ = _binary('<<', 3, operator.lshift)
    __rshift__, __rrshift__ = _binary('>>', 3, operator.rshift)
    __and__, __rand__ = _binary('&', 2, operator.and_)
    __xor__, __rxor__ = _binary('^', 1, operator.xor)
    __or__, __ror__ = _binary('|', 0, operator.or_)

    def __neg__(self):
        return UnaryOperator(6, self, '-', operator.neg)

    def __pos__(self):
        return UnaryOperator(6, self, '+', operator.pos)

    def __invert__(self):
        return UnaryOperator(6, self, '~', operator.invert)


_NO_BOOL = 'An Expr instance cannot be evaluated as bool. Please use chainer.utils.type_check.eval() to evaluate an expression.'


class Atom(Expr):
    def __init__(self):
        super().__init__(8)


class Constant(Atom):
    def __init__(self, value):
        super().__init__()
        self.value = value

    def __str__(self):
        return _text(self.value)

    def eval(self):
        return self.value


class Variable(Atom):
    def __init__(self, value, name):
        super().__init__()
        self.value = value
        self.name = name

    def __str__(self):
        return self.name

    def eval(self):
        return self.value


class GetAttr(Atom):
    def __init__(self, obj, name):
        super().__init__()
        self.obj = obj
        self.name = name

    def __str__(self):
        return '%s.%s' % (_text(self.obj), self.name)

    def eval(self):
        return getattr(_value(self.obj), self.name)


class GetItem(Atom):
    def __init__(self, obj, key):
        super().__init__()
        self.obj = obj
        self.key = key

    def __str__(self):
        return '%s[%s]' % (_text(self.obj), _subscript(self.key))

    def eval(self):
        return _value(self.obj)[_value(self.key)]


def _subscript(key):
    if key is Ellipsis:
        return '...'
    if isinstance(key, slice):
        parts = [key.start, key.stop] + ([] if key.step is None else [key.step])
        return ':'.join(['' if v is None else _text(v) for v in parts])
    if isinstance(key, tuple):
        return ', '.join([_subscript(k) for k in key])
    return _text(key)


class Call(Atom):
    def __init__(self, obj, args):
        super().__init__()
        self.obj = obj
        self.args = args

    def __str__(self):
        return '%s(%s)' % (_text(self.obj), ', '.join([_text(a) for a in self.args]))

    def eval(self):
        return _value(self.obj)(*[_value(a) for a in self.args])


def _side(v, bare):
    return '(%s)' % _text(v) if isinstance(v, Expr) and not bare else _text(v)


class UnaryOperator(Expr):
    def __init__(self, priority, term, exp, func):
        super().__init__(priority)
        self.term = term
        self.exp = exp
        self.func = func

    def eval(self):
        return self.func(_value(self.term))

    def __str__(self):
        return self.exp + _side(self.term, not isinstance(self.term, Expr) or self.term.priority >= self.priority)


class BinaryOperator(Expr):
    def __init__(self, priority, lhs, rhs, exp, func):
        super().__init__(priority)
        self.lhs = lhs
        self.rhs = rhs
        self.exp = exp
        self.func = func

    def eval(self):
        return self.func(_value(self.lhs), _value(self.rhs))

    def __str__(self):
        left = _side(self.lhs, not isinstance(self.lhs, Expr) or self.lhs.priority >= self.priority)
        right = _side(self.rhs, not isinstance(self.rhs, Expr) or self.rhs.priority > self.priority)
        return '%s %s %s' % (left, self.exp, right)


class Testable:
    pass


class BoolBinaryOperator(BinaryOperator, Testable):
    def __init__(self, lhs, rhs, exp, inv, func):
        super().__init__(-1, lhs, rhs, exp, func)
        self.inv = inv

    def expect(self):
        left, right = _value(self.lhs), _value(self.rhs)
        if not self.func(left, right):
            if _Check.asked:
                raise RuntimeError(_NO_BOOL)
            raise InvalidType('{0} {1} {2}'.format(self.lhs, self.exp, self.rhs), '{0} {1} {2}'.format(left, self.inv, right))


def expect(*bool_exprs):
    for e in bool_exprs:
        if isinstance(e, Testable):
            e.expect()
        elif not e:
            raise InvalidType('a condition of the type check', 'it does not hold')


def expect_broadcast_shapes(*shape_types):
    shapes = [_value(s) for s in shape_types]
    try:
        numpy.broadcast(*[numpy.empty(s) for s in shapes])
    except ValueError:
        lines = ['{} = {}'.format(t, s) for t, s in zip(shape_types, shapes)]
        raise InvalidType('', '', msg='\n'.join(['cannot broadcast inputs of the following shapes:'] + lines))


def argname(in_types, names):
    if len(in_types) != len(names):
        raise InvalidType('{} argument(s)'.format(len(names)), '{} argument(s)'.format(len(in_types)), 'Invalid number of arguments')
    for info, name in zip(in_types, names):
        if isinstance(info, Variable):
            info.name = name


_argname = argname


def same_types(*arrays):
    return all([isinstance(x, numpy.ndarray) for x in arrays])


def eval(exp):
    return _value(exp)


def make_variable(value, name):
    return Variable(value, name)


def prod(xs):
    if isinstance(xs, Expr):
        return Call(Variable(prod, 'prod'), (xs,))
    n = 1
    for x in xs:
        n = n * x
    return n
