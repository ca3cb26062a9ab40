# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
from chainer.function_hooks import TimerHook


def forward(x):
    with TimerHook():
        with TimerHook():
            return F.relu(x)
