import re
x = re.sub("a", "b" * 1000, "a" * 10**6)
