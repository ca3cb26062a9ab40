x=()
for i in range(100000):
    x=(x,)
hash(x)
d={x:1}
d[x]
x in d
