S="a"*4000000
import re
for _i in range(1000):
    try:
        re.compile(S)
    except Exception: pass
