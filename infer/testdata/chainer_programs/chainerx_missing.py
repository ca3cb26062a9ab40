# entry: forward
# arg: x:f32[3,4]
import chainer
import chainerx
import numpy as np


def forward(x):
    if chainerx.is_available():
        x = chainerx.array(x)
    xp = chainerx if isinstance(x, chainerx.ndarray) else np
    if isinstance(x, chainerx.ndarray) and x.device.backend.name == 'cuda':
        return x.to_device('native')
    return xp.tanh(x), chainerx.is_available(), chainer.backend.get_array_module(x) is np
