s = 'a = 1\n'
for i in range(40):
    s = s + s
    exec(s)
