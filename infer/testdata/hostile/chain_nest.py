import itertools
it=iter([1]*10)
for i in range(100000):
    it=itertools.chain(it)
list(it)
