# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    l = L.Linear(3, 4)
    s, c, i = l.copy(), l.copy('copy'), l.copy('init')
    a = [s.W is l.W, s.W.array is l.W.array, c.W is l.W, c.W.array is l.W.array, i.W.array is l.W.array]
    s.W.array[...] = 1
    b = l.W.array.sum(), l.W.shape
    loss = F.sum(s(x))
    s.cleargrads()
    l.cleargrads()
    loss.backward()
    return a, b, s.W.grad is None, l.W.grad is None, s.name, s.W.name, l.W.name, type(s).__name__
