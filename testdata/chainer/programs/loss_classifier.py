# entry: L.Classifier(L.Linear(None, 4))
# arg: x:f32[3,5]
# arg: t=np.array([0, 3, 1], dtype=np.int32)
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
