# entry: forward
# arg: x:f32[2,6,12,12]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    return (L.Convolution2D(6, 4, (3, 5), stride=(1, 2), pad=(1, 0), dilate=1)(x), L.Convolution2D(6, 6, 3, groups=3)(x), L.DilatedConvolution2D(6, 4, 3, 1, 2, 2)(x), L.Deconvolution2D(6, 4, 4, 2, 1)(x), L.DepthwiseConvolution2D(6, 2, 3)(x), L.Convolution1D(6, 3, 3)(x[:, :, 0]), L.ConvolutionND(2, 6, 3, 3)(x), L.Deconvolution1D(6, 3, 3)(x[..., 0]), L.LocalConvolution2D(6, 4, (12, 12), 3)(x), L.MLPConvolution2D(6, (4, 5), 3)(x), L.DeformableConvolution2D(6, 4, 3)(x), L.Highway(6)(x[:, :, 0, 0]), L.Maxout(6, 4, 2)(x[:, :, 0, 0]), L.Bilinear(6, 6, 3)(x[:, :, 0, 0], x[:, :, 0, 1]), L.Scale(1, (6,))(x), L.Bias(1, (6,))(x), L.PReLU((6,))(x[:, :, 0, 0]), L.EmbedID(5, 3, ignore_label=-1)(np.array([[0, 1], [2, -1]], np.int32)))
