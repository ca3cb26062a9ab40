import itertools
list(itertools.product([1,2],repeat=10**9))
