import itertools
list(itertools.combinations_with_replacement(range(2),10**9))
