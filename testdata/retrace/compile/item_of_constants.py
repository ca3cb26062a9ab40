"""With fullgraph=True the number in a tensor of one element that the function makes of numbers is known."""
import torch


@torch.compile(fullgraph=True, backend="eager")
def one(x):
    k = torch.tensor([3]).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def viewed(x):
    k = torch.tensor([3]).view(()).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def floating(x):
    k = torch.tensor(3.5).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def computed(x):
    k = (torch.tensor(3) * 2 + torch.tensor(1)).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def like(x):
    k = x.new_tensor(3).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def taken(x):
    k = torch.as_tensor(3).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def written(x):
    k = torch.tensor(3).add_(1).item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def largest(x):
    k = torch.tensor([3]).max().item()
    if k > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def size(x):
    k = torch.tensor(x.shape[0]).item()
    if k > 2:
        return x + 1
    return x - 1


x = torch.ones(4)
one(x)
one(x)
viewed(x)
viewed(x)
floating(x)
floating(x)
computed(x)
computed(x)
like(x)
like(x)
taken(x)
taken(x)
written(x)
written(x)
largest(x)
largest(x)
size(x)
size(x)
