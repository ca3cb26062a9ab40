for i in range(2000):
    globals()['g%d' % i] = dict(globals())
