"""With fullgraph=True a graph computes with a number that it does not know, also sizes."""
import torch


@torch.compile(fullgraph=True, backend="eager")
def use0(x, n):
    k = n.sum().item()
    return x[:k]


@torch.compile(fullgraph=True, backend="eager")
def use1(x, n):
    k = n.sum().item()
    return x[k]


@torch.compile(fullgraph=True, backend="eager")
def use2(x, n):
    k = n.sum().item()
    return x.view(k, -1)


@torch.compile(fullgraph=True, backend="eager")
def use3(x, n):
    k = n.sum().item()
    return x.repeat(k)


@torch.compile(fullgraph=True, backend="eager")
def use4(x, n):
    k = n.sum().item()
    return torch.arange(k)


@torch.compile(fullgraph=True, backend="eager")
def use5(x, n):
    k = n.sum().item()
    return x.expand(k, 4)


@torch.compile(fullgraph=True, backend="eager")
def use6(x, n):
    k = n.sum().item()
    return x * k


@torch.compile(fullgraph=True, backend="eager")
def use7(x, n):
    k = n.sum().item()
    return x ** k


@torch.compile(fullgraph=True, backend="eager")
def use8(x, n):
    k = n.sum().item()
    return x + min(k, 3)


@torch.compile(fullgraph=True, backend="eager")
def use9(x, n):
    k = n.sum().item()
    return x + (k == 2)


@torch.compile(fullgraph=True, backend="eager")
def use10(x, n):
    k = n.sum().item()
    return x + abs(k - 3)


@torch.compile(fullgraph=True, backend="eager")
def use11(x, n):
    k = n.sum().item()
    return x.new_zeros(k, 2)


@torch.compile(fullgraph=True, backend="eager")
def use12(x, n):
    k = n.sum().item()
    return x.roll(k)


@torch.compile(fullgraph=True, backend="eager")
def use13(x, n):
    k = n.sum().item()
    return x.narrow(0, 0, k)


@torch.compile(fullgraph=True, backend="eager")
def use14(x, n):
    k = n.sum().item()
    return torch.zeros(k, 4) + x


@torch.compile(fullgraph=True, backend="eager")
def use15(x, n):
    k = n.sum().item()
    return torch.zeros(k) + torch.ones(k)


@torch.compile(fullgraph=True, backend="eager")
def use16(x, n):
    k = n.sum().item()
    return x.reshape(2, k)


x = torch.ones(4)
use0(x, torch.tensor([1, 1]))
use0(x, torch.tensor([2, 0]))
use1(x, torch.tensor([1, 1]))
use1(x, torch.tensor([2, 0]))
use2(x, torch.tensor([1, 1]))
use2(x, torch.tensor([2, 0]))
use3(x, torch.tensor([1, 1]))
use3(x, torch.tensor([2, 0]))
use4(x, torch.tensor([1, 1]))
use4(x, torch.tensor([2, 0]))
use5(x, torch.tensor([1, 1]))
use5(x, torch.tensor([2, 0]))
use6(x, torch.tensor([1, 1]))
use6(x, torch.tensor([2, 0]))
use7(x, torch.tensor([1, 1]))
use7(x, torch.tensor([2, 0]))
use8(x, torch.tensor([1, 1]))
use8(x, torch.tensor([2, 0]))
use9(x, torch.tensor([1, 1]))
use9(x, torch.tensor([2, 0]))
use10(x, torch.tensor([1, 1]))
use10(x, torch.tensor([2, 0]))
use11(x, torch.tensor([1, 1]))
use11(x, torch.tensor([2, 0]))
use12(x, torch.tensor([1, 1]))
use12(x, torch.tensor([2, 0]))
use13(x, torch.tensor([1, 1]))
use13(x, torch.tensor([2, 0]))
use14(x, torch.tensor([1, 1]))
use14(x, torch.tensor([2, 0]))
use15(x, torch.tensor([1, 1]))
use15(x, torch.tensor([2, 0]))
use16(x, torch.tensor([1, 1]))
use16(x, torch.tensor([2, 0]))
