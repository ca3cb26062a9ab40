# entry: Net()
# arg: x:f32[2,16,64]
# arg: condition:f32[4,2,16,64]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class ResidualBlock(chainer.Chain):
    def __init__(self, filter_size, dilation, residual_channels, dilated_channels, skip_channels):
        super(ResidualBlock, self).__init__()
        with self.init_scope():
            self.conv = L.Convolution1D(residual_channels, dilated_channels, ksize=filter_size, pad=dilation * (filter_size - 1), dilate=dilation)
            self.res = L.Convolution1D(dilated_channels // 2, residual_channels, 1)
            self.skip = L.Convolution1D(dilated_channels // 2, skip_channels, 1)
        self.filter_size = filter_size
        self.dilation = dilation
        self.residual_channels = residual_channels

    def forward(self, x, condition):
        length = x.shape[2]
        h = self.conv(x)
        h = h[:, :, :length]
        h += condition
        tanh_z, sig_z = F.split_axis(h, 2, axis=1)
        z = F.tanh(tanh_z) * F.sigmoid(sig_z)
        if x.shape[2] == z.shape[2]:
            residual = self.res(z) + x
        else:
            residual = self.res(z) + x[:, :, -1:]
        skip_conenection = self.skip(z)
        return residual, skip_conenection

    def initialize(self, n):
        self.queue = chainer.Variable(self.xp.zeros((n, self.residual_channels, self.dilation * (self.filter_size - 1) + 1), dtype=self.xp.float32))
        self.conv.pad = (0,)

    def pop(self, condition):
        return self(self.queue, condition)

    def push(self, x):
        self.queue = F.concat((self.queue[:, :, 1:], x), axis=2)


class ResidualNet(chainer.ChainList):
    def __init__(self, n_loop, n_layer, filter_size, residual_channels, dilated_channels, skip_channels):
        super(ResidualNet, self).__init__()
        dilations = [2 ** i for i in range(n_layer)] * n_loop
        for dilation in dilations:
            self.add_link(ResidualBlock(filter_size, dilation, residual_channels, dilated_channels, skip_channels))

    def forward(self, x, conditions):
        for i, (func, cond) in enumerate(zip(self.children(), conditions)):
            x, skip = func(x, cond)
            if i == 0:
                skip_connections = skip
            else:
                skip_connections += skip
        return skip_connections


class Net(chainer.Chain):
    def __init__(self):
        super(Net, self).__init__()
        with self.init_scope():
            self.embed = L.Convolution1D(16, 8, 2, pad=1, nobias=True)
            self.resnet = ResidualNet(2, 2, 2, 8, 16, 8)
            self.proj1 = L.Convolution1D(8, 8, 1, nobias=True)
            self.proj2 = L.Convolution1D(8, 16, 1, nobias=True)

    def forward(self, x, condition):
        length = x.shape[2]
        x = self.embed(x)
        x = x[:, :, :length]
        z = F.relu(self.resnet(x, condition))
        z = F.relu(self.proj1(z))
        return self.proj2(z)
