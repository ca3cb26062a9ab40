import torch
torch.zeros([1] * 2000000)
