"""What torch.compiler.set_stance says of calls."""
import torch
@torch.compile(backend="eager")
def f(x):
    return x + 1
f(torch.ones(2))
with torch.compiler.set_stance("force_eager"):
    f(torch.ones(3))
with torch.compiler.set_stance("eager_on_recompile"):
    f(torch.ones(2))
    f(torch.ones(3))
with torch.compiler.set_stance("fail_on_recompile"):
    f(torch.ones(2))
    try:
        f(torch.ones(3))
    except RuntimeError as e:
        print("RuntimeError")
f(torch.ones(3))
torch.compiler.set_stance("force_eager")
f(torch.ones(4, 4))
torch.compiler.set_stance("default")
f(torch.ones(4, 4))
@torch.compiler.set_stance("force_eager")
def run(x):
    return f(x)
run(torch.ones(2, 2, 2))
f(torch.ones(2, 2, 2))
try:
    torch.compiler.set_stance("no")
except RuntimeError:
    print("RuntimeError")
