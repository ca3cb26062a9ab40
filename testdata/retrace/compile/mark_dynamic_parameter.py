"""mark_dynamic of a size that a parameter fixes."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = x * 2

        z = y + 1
        return z + self.w
c = torch.compile(Net())
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
try:
    c(x)
except Exception as e:
    print(type(e).__name__)
