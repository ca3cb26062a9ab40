t=tuple(range(2000000))
d={t:1}
d[t]
