import copy
for i in range(20):
    copy.deepcopy([0] * 2000000)
