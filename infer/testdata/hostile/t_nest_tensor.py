import torch
x=1
for i in range(100000): x=[x]
torch.tensor(x)
