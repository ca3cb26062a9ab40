LF=[0.5]*1000000
import random
for _i in range(1000):
    try:
        random.sample(LF,1000)
    except Exception: pass
