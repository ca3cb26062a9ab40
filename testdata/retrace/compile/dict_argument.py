"""A dictionary: keys that are read are guarded."""
import torch

@torch.compile
def f(batch):
    y = batch["x"]
    if "mask" in batch:
        y = y * batch["mask"]
    return y

a = torch.ones(2)
f({"x": a})
f({"x": a, "mask": a})
f({"x": a, "other": a})
f({"x": a})
