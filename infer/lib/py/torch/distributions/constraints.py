# This file names the constraints; values are not checked against them.


class Constraint:
    is_discrete = False
    event_dim = 0

    def check(self, value):
        return value == value

    def __call__(self, *args):
        return self


real = Constraint()
real_vector = Constraint()
positive = Constraint()
nonnegative = Constraint()
unit_interval = Constraint()
simplex = Constraint()
boolean = Constraint()
lower_cholesky = Constraint()
positive_definite = Constraint()
nonnegative_integer = Constraint()
positive_integer = Constraint()
interval = Constraint()
greater_than = Constraint()
less_than = Constraint()
integer_interval = Constraint()
independent = Constraint()
