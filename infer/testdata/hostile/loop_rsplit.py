x = "a," * 900000
while True:
    y = x.rsplit(",", 900000)
