"""Records what CPython computes with floats: operation, operands, result; floats in hexadecimal, "error" where Python raises
or the result is no number. Prints the lines of floats.txt.gz.
"""
import math
from fractions import Fraction

values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 0.1, -0.1, 0.7, 1.5, -1.5, 2.5, -2.5, 3.5, 7.0, -7.0, 10.0, 64.0, 65.0, 0.3, 1e-9, -1e-9, 1e15 + 0.5, 2.0**52 + 1, 2.0**53, -(2.0**53), 1e300, -1e300, 5e-324, 123456.789, 1 - 2.0**-53, 999.0, -999.0]


def fdiv(x, y):
    return x // y


operations = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "fdiv": fdiv, "mod": lambda x, y: x % y,
    "pow": lambda x, y: x**y, "min": min, "max": max, "neg": lambda x, y: -x, "sqrt": lambda x, y: math.sqrt(x),
}
for name, f in operations.items():
    for x in values:
        for y in values if name not in ("neg", "sqrt") else [0.0]:
            try:
                z = f(x, y)
                text = z.hex() if isinstance(z, float) and math.isfinite(z) else "error"
                if name == "pow" and text != "error" and not (y == int(y) and 0 <= y <= 64 and Fraction(x) ** int(y) == Fraction(z) or x > 0 and (y == -1 and z == 1 / x or y == 0.5 and z == math.sqrt(x))):
                    continue  # libraries differ in the last bit
            except (ArithmeticError, ValueError):
                text = "error"
            print(name, x.hex(), y.hex(), text)
rounds = {"trunc": int, "floor": math.floor, "ceil": math.ceil, "round": round}
for name, f in rounds.items():
    for x in values:
        print(name, x.hex(), "0x0p+0", f(x) if abs(x) < 2**62 else "error")
whole = [0, 1, -1, 2, 3, -7, 10, 2**53, 2**53 + 1, 2**53 + 3, -(2**53) - 1, 2**62 + 1, 2**63 - 1, -(2**63) + 1, 10**18 + 7]
for a in whole:
    for b in whole:
        print("quotient", a, b, (a / b).hex() if b else "error")
