t=int
for i in range(100000):
    t=(t,)
isinstance("a",t)
try:
    raise ValueError
except t:
    pass
