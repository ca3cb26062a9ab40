"""row = cfg[0]"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    row = cfg[0]
    return x * row[1]
x = torch.ones(3)
f(x, [["a", 2], ["b", 3]])
f(x, [["q", 2], ["b", 3]])
f(x, [["q", 2], ["b", 4]])
f(x, [["q", 2], ["b"]])
f(x, [["q", 2, 3], ["b"]])
