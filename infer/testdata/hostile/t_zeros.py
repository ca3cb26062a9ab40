import torch
torch.zeros(10**12)
torch.eye(2**32)
torch.eye(10**9)
torch.arange(10**18)
torch.zeros(*([2]*100))
