r = '\\'
for i in range(60):
    r = repr(r)
b = b'\xff' * 10000000
print(len(r), len(repr(b)))
