# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import function_hooks


def forward(x):
    hook = function_hooks.TimerHook()
    l = L.Linear(3, 4)
    with hook:
        y = F.relu(l(x))
        z = F.sum(y)
    names = [n for n, t in hook.call_history]
    return names, type(hook.total_time()).__name__, sorted(hook.summary()), hook.summary()['ReLU']['occurrence'], sorted(hook.summary()['ReLU']), len(hook.call_history), type(hook.call_history[0][1]).__name__, hook.name
