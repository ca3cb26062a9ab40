"""Programs with except*, and what CPython makes of them: python3.11 except_star.py > except_star.txt."""


def show(e):
    if isinstance(e, BaseExceptionGroup):
        return type(e).__name__ + "(" + repr(e.message) + ", [" + ", ".join([show(x) for x in e.exceptions]) + "])"
    return type(e).__name__ + repr(e.args)


def group(*list):
    return ExceptionGroup("g", list)


class Derived(ExceptionGroup):
    def derive(self, list):
        return Derived("derived", list)


class Plain(ExceptionGroup):
    pass


def several(e):
    out = []
    try:
        raise e
    except* ValueError as x:
        out.append("V " + show(x))
    except* (TypeError, KeyError) as x:
        out.append("T " + show(x))
    except* OSError as x:
        out.append("O " + show(x))
    else:
        out.append("else")
    finally:
        out.append("finally")
    return " ".join(out)


def again(e):
    try:
        raise e
    except* ValueError:
        raise
    except* TypeError:
        pass


def named(e):
    try:
        raise e
    except* ValueError as x:
        raise x
    except* TypeError:
        pass


def other(e):
    try:
        raise e
    except* ValueError:
        raise KeyError("k")
    except* TypeError:
        raise IndexError("i") from None


def mixed(e):
    try:
        raise e
    except* ValueError:
        raise KeyError("k")
    except* TypeError:
        raise


def inside(e):
    out = ""
    try:
        try:
            raise e
        except* ValueError:
            pass
    except* TypeError as x:
        out = "outer " + show(x)
    return out


def plain_outside(e):
    try:
        try:
            raise e
        except* ValueError:
            pass
    except ExceptionGroup as x:
        return "outer " + show(x)
    return "nothing"


def of_groups(e):
    try:
        raise e
    except* ExceptionGroup:
        pass


def everything(e):
    try:
        raise e
    except* Exception as x:
        return_value = show(x)
    return return_value


def loop(list):
    out = []
    for e in list:
        try:
            raise e
        except* ValueError:
            out.append("V")
        except* Exception:
            out.append("E")
    return ",".join(out)


def unbound(e):
    x = "before"
    try:
        raise e
    except* ValueError as x:
        pass
    try:
        return x
    except NameError:
        return "unbound"


def shared():
    e = ValueError(1)
    for _ in range(6):
        e = group(e, e)
    n = 0
    try:
        raise e
    except* ValueError as x:
        while isinstance(x, BaseExceptionGroup):
            x, n = x.exceptions[0], n + 1
    return str(n)


def run(f, *args):
    try:
        return str(f(*args))
    except BaseException as e:
        return "raises " + show(e)


def results():
    lists = [
        lambda: ValueError(1),
        lambda: RuntimeError(1),
        lambda: group(ValueError(1)),
        lambda: group(ValueError(1), TypeError(2)),
        lambda: group(ValueError(1), TypeError(2), RuntimeError(3), ValueError(4)),
        lambda: group(RuntimeError(1), group(ValueError(2), KeyError(3)), group(OSError(4), group(TypeError(5), RuntimeError(6)))),
        lambda: group(group(group(ValueError(1)))),
        lambda: Derived("d", [ValueError(1), RuntimeError(2)]),
        lambda: Plain("p", [ValueError(1), RuntimeError(2)]),
        lambda: BaseExceptionGroup("b", [ValueError(1), KeyboardInterrupt(2)]),
        lambda: group(UnicodeError(1), FileNotFoundError(2), ModuleNotFoundError(3)),
    ]
    out = []
    for f in [several, again, named, other, mixed, inside, plain_outside, of_groups, everything, unbound]:
        for make in lists:
            out.append(f.__name__ + ": " + run(f, make()))
    out.append("loop: " + loop([ValueError(1), group(ValueError(2), RuntimeError(3)), KeyError(4)]))
    out.append("shared: " + shared())
    out.append("str: " + str(group(ValueError(1))) + "; " + str(group(ValueError(1), KeyError(2))))
    return out


if __name__ == "__main__":
    print("\n".join(results()))
