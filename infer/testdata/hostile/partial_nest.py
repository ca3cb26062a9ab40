import functools
f=print
for i in range(100000):
    f=functools.partial(f)
f()
