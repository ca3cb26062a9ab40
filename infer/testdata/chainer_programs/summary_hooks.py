# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Count(chainer.FunctionHook):
    name = 'Count'

    def __init__(self):
        self.names = []

    def forward_preprocess(self, function, in_data):
        self.names.append((function.label, len(in_data)))


def forward(x):
    hook = Count()
    with hook:
        y = F.relu(F.linear(x, np.ones((4, 3), 'f')))
        z = F.softmax(y)
    with chainer.function_hooks.TimerHook() as t:
        F.tanh(x)
    return z, hook.name
