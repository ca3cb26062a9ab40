from collections import namedtuple
T = namedtuple("T", ["f%d" % i for i in range(10**6)])
