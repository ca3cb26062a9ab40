A = tuple(type('A%d' % i, (), {}) for i in range(5000))
for i in range(100):
    B = type('B', A, {})
