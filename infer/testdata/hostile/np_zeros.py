import numpy as np
np.zeros(10**12)
np.ones((10**6,10**6))
np.eye(2**32)
np.eye(10**9)
np.arange(10**9)
np.linspace(0,1,10**9)
np.array([0]*4000000)
