import torch
import numpy as np

x = torch.zeros(2, 1000000)
for i in range(100):
    torch.unbind(x, 1)
    np.array_split(np.zeros(1000000), 1000000)
    torch.broadcast_tensors(*[x] * 100000)
    torch.meshgrid(*[torch.arange(3)] * 60)
