s = set(range(200000))
t = set(range(200000))
while True:
    u = s.intersection(t)
    u = s & t
