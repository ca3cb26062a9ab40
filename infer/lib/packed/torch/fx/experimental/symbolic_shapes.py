# This file is torch.fx.experimental.symbolic_shapes: questions about sizes, which an eager
# run always answers.


def guard_or_false(a):
    return True if a else False


def guard_or_true(a):
    return True if a else False


def statically_known_true(x):
    return True if x else False


def guard_size_oblivious(expr):
    return True if expr else False


def definitely_true(a):
    return True if a else False


def free_symbols(val):
    return set()


def free_unbacked_symbols(x):
    return set()


def is_concrete_int(a):
    return isinstance(a, int)


def sym_eq(x, y):
    return x == y


class GuardOnDataDependentSymNode(RuntimeError):
    pass


class GuardOnDataDependentSymNode(RuntimeError):
    pass


class ConstraintViolationError(RuntimeError):
    pass
