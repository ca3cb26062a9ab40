LL=list(range(200000))
import numpy as np
for _i in range(1000):
    try:
        np.reshape(np.arange(10),LL)
    except Exception: pass
