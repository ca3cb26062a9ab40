"""A tensor with marks is refused by a graph whose tensor had none, one without marks is not."""
import torch


@torch.compile(backend="eager")
def f(x):
    return x * 2


a = torch.ones(4, 3)
torch._dynamo.mark_dynamic(a, 0)
f(a)
f(torch.ones(5, 3))
f(torch.ones(5, 4))
b = torch.ones(6, 5)
torch._dynamo.mark_static(b, 0)
f(b)
f(torch.ones(7, 5))
