import sys

s = sys.argv[0] + str(id(sys))
for i in range(60):
    s = s + '+' + s
r = eval(s)
t = '1'
for i in range(60):
    t = t + '+' + t
u = eval(t)
