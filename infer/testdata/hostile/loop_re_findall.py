import re
x = "a" * 10**7
while True:
    y = re.findall("a", x)
