s = '[1, 2]'
for i in range(40):
    s = repr(eval(s) * 2)
print(len(s))
