"""With fullgraph=True a number that is computed from a tensor is not known to the graph: nothing can be decided on it."""
import torch


@torch.compile(fullgraph=True, backend="eager")
def computed(x, n):
    k = (n + 0).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def cloned(x, n):
    k = n.clone().item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def viewed(x, n):
    k = n.view(()).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def written(x, n):
    k = n.add_(1).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def smaller(x, n):
    k = n.item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def single(x, n):
    k = n.item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def floating(x, n):
    k = float(n)
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def boolean(x, n):
    k = int(n.item())
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def listed(x, n):
    k = n.tolist()[0]
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def zeros(x, n):
    k = torch.zeros(()).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def filled(x, n):
    k = torch.full((), 3).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def several(x, n):
    k = torch.tensor([3, 4]).sum().item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def drawn(x, n):
    k = torch.rand(()).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def added(x, n):
    k = torch.tensor(3).add_(n).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def counted(x, n):
    k = n.sum().item()
    for _ in range(k):
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def indexed(x, n):
    k = n.sum().item()
    if [1, 2, 3][k] > 1:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def split(x, n):
    k = n.sum().item()
    if len(x.split(k)) > 1:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def axis(x, n):
    k = n.sum().item() - 2
    if x.sum(dim=k).dim() == 0:
        return x + 1
    return x - 1


x = torch.ones(4)
try:
    computed(x, torch.tensor(5))
except Exception:
    pass
try:
    cloned(x, torch.tensor(5))
except Exception:
    pass
try:
    viewed(x, torch.tensor(5))
except Exception:
    pass
try:
    written(x, torch.tensor(5))
except Exception:
    pass
try:
    smaller(x, torch.tensor(5, dtype=torch.int32))
except Exception:
    pass
try:
    single(x, torch.tensor([5]))
except Exception:
    pass
try:
    floating(x, torch.tensor(5.0))
except Exception:
    pass
try:
    boolean(x, torch.tensor(True))
except Exception:
    pass
try:
    listed(x, torch.tensor([5, 3]))
except Exception:
    pass
try:
    zeros(x, torch.tensor(5))
except Exception:
    pass
try:
    filled(x, torch.tensor(5))
except Exception:
    pass
try:
    several(x, torch.tensor(5))
except Exception:
    pass
try:
    drawn(x, torch.tensor(5))
except Exception:
    pass
try:
    added(x, torch.tensor(5))
except Exception:
    pass
try:
    counted(x, torch.tensor([1, 1]))
except Exception:
    pass
try:
    indexed(x, torch.tensor([1, 1]))
except Exception:
    pass
try:
    split(x, torch.tensor([1, 1]))
except Exception:
    pass
try:
    axis(x, torch.tensor([1, 1]))
except Exception:
    pass
