x=[0]*4000000
y=[]
for i in range(100000): y.append(x[:])
