x=[1]
while True: x.extend(x)
