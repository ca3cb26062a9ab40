"""With fullgraph=True the number in an int64 or float64 tensor of rank 0 that is read from outside is a symbol: what is decided on it is a guard."""
import torch


@torch.compile(fullgraph=True, backend="eager")
def argument(x, n):
    if n.item() > 2:
        return x + 1
    return x - 1


@torch.compile(fullgraph=True, backend="eager")
def repeated(x, n):
    return sum(i * x for i in range(int(n)))


t = torch.tensor(5)


@torch.compile(fullgraph=True, backend="eager")
def outside(x):
    if t.item() > 4:
        return x + 1
    return x - 1


class Module(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(5))

    def forward(self, x):
        if self.n.item() > 4:
            return x + 1
        return x - 1


x = torch.ones(4)
for n in [5, 6, 1, 7]:
    argument(x, torch.tensor(n))
for n in [5.0, 6.0, 1.0]:
    argument(x, torch.tensor(n, dtype=torch.float64))
for n in [2, 2, 3]:
    repeated(x, torch.tensor(n))
for n in [5, 6, 3, 9]:
    t = torch.tensor(n)
    outside(x)
module = Module()
compiled = torch.compile(module, fullgraph=True, backend="eager")
for n in [5, 6, 3, 9]:
    module.n.fill_(n)
    compiled(x)
