s = set(range(200000))
while s:
    s.pop()
