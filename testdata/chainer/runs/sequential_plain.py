# entry: chainer.Sequential(L.Linear(None, 8), F.relu, L.Linear(8, 3))
# arg: x:f32[N,4]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
