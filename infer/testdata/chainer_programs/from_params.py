# entry: Net()
# arg: x:f32[5,6,9,8]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.conv = L.Convolution2D.from_params(np.ones((4, 3, 3, 2), 'f'), np.zeros(4, 'f'), stride=2, pad=1, groups=2)
            self.wide = L.ConvolutionND.from_params(chainer.Parameter(0.5, (3, 4, 2, 1)), dilate=2, nobias=True)
            self.fc = L.Linear.from_params(chainer.Variable(np.ones((7, 45), 'f')), np.zeros(7, 'f'))
            self.embed = L.EmbedID.from_params(chainer.Variable(np.ones((11, 2), 'f')), ignore_label=-1)

    def forward(self, x):
        refused = []
        for make in (lambda: L.Deconvolution2D.from_params(1), lambda: L.Linear.from_params(np.ones((3, 2)), np.ones(2)),
                     lambda: L.Convolution2D.from_params(np.ones((3, 2, 1, 1)), np.ones(2))):
            try:
                make()
            except (NotImplementedError, ValueError) as e:
                refused.append((type(e).__name__, str(e)))
        h = self.wide(self.conv(x))
        ids = np.array([[1, -1, 3]], 'i')
        return h, self.fc(h), self.embed(ids), refused
