import copy
x=[]
for i in range(100000):
    x=[x]
copy.deepcopy(x)
