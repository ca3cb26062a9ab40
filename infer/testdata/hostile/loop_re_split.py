import re
x = "a," * (5 * 10**6)
while True:
    y = re.split(",", x)
