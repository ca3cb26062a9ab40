def f(g):
    return lambda: g()
x=lambda: 1
for i in range(100000): x=f(x)
x()
