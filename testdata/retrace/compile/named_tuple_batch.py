"""A namedtuple as argument, and a tuple in its place."""
import collections
import torch

Batch = collections.namedtuple("Batch", "x y")

@torch.compile
def loss(b):
    return ((b[0] - b[1]) ** 2).mean()

loss(Batch(torch.ones(3), torch.zeros(3)))
loss(Batch(torch.ones(5), torch.zeros(5)))
loss((torch.ones(5), torch.zeros(5)))
loss(Batch(torch.ones(7), torch.zeros(7)))
