import torch

@torch.compile(backend="eager")
def f(batch):
    x = batch["x"] * 2
    if "w" in batch:
        x = x * batch["w"]
    return {"x": x, "n": batch["x"].shape[0]}

f({"x": torch.ones(3)})
f({"x": torch.ones(4), "id": 3})
f({"x": torch.ones(5), "id": 4})
f({"x": torch.ones(5), "w": torch.ones(5)})
f({"w": torch.ones(6), "x": torch.ones(6)})
f({"x": torch.ones(5), "w": torch.ones(1)})
