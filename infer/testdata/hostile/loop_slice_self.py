x = [1]
while True:
    x[len(x):] = x
