import typing
import dataclasses

X = int
Y = int
for i in range(40):
    X = tuple[X, X]
    Y = typing.Union[typing.List[Y], typing.Set[Y]]


def f(x: X, y: Y) -> X:
    z: X = x
    return z


@dataclasses.dataclass
class C:
    x: X


f(1, 2)
print(len(repr(X)), str(Y))
