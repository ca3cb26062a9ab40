"""A compiled method"""
import torch
from torch import nn
class Model:
    def __init__(self, k):
        self.k = k

    @torch.compile
    def run(self, x):
        return x * self.k

a, b = Model(2), Model(3)
x = torch.ones(2)
a.run(x)
b.run(x)
a.k = 5
a.run(x)
