import torch
for _i in range(1000):
    try:
        torch.zeros(2,3)[(None,)*100000]
    except Exception: pass
