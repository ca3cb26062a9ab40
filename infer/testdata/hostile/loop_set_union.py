s = set(range(200000))
n = 0
xs = []
while True:
    s = s | set(range(n, n + 200000))
    n += 100000
