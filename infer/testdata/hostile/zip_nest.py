it=iter([1]*10)
for i in range(100000):
    it=zip(it)
list(it)
