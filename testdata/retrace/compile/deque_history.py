"""A bounded history that the function reads."""
from collections import deque
import torch
history = deque([1.0, 2.0], maxlen=4)
@torch.compile(backend="eager")
def f(x):
    return x * len(history)
x = torch.ones(3)
f(x)
f(x)
history.append(3.0)
f(x)
