L=[0]*2000000
import random
for _i in range(1000):
    try:
        random.shuffle(L)
    except Exception: pass
