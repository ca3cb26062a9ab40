import copy
d = dict.fromkeys(range(2000000))
copy.deepcopy(d)
copy.copy(d)
