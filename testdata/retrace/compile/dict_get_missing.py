import torch
CFG = {"scale": 2, "bias": 1}

@torch.compile(backend="eager")
def f(x, opts):
    k = opts.get("k", 3)
    return x * k

x = torch.ones(4)
f(x, {"k": 2})
f(x, {"k": 5})
f(x, {"k": 7})
f(x, {})
f(x, {"j": 1})
f(x, {"k": 9})
