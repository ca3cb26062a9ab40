"""A dict of options."""
import torch

@torch.compile(backend="eager")
def f(x, cfg):
    if cfg["act"] == "relu":
        x = x.relu()
    return x * cfg.get("scale", 1.0)

f(torch.ones(2), {"act": "relu"})
f(torch.ones(2), {"act": "relu", "scale": 2.0})
f(torch.ones(2), {"act": "none", "scale": 2.0})
f(torch.ones(2), {"act": "relu", "other": 1})
