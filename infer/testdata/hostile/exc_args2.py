raise ValueError(["a"*10**6]*10**6)
