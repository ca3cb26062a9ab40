# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    x = np.random.rand(2, 3, 10, 12).astype('f')
    rois = np.array([[0, 0, 0, 5, 5], [1, 2, 2, 8, 9]], 'f')
    return (F.roi_pooling_2d(x, rois, 7, 6, 0.5), F.spatial_pyramid_pooling_2d(x, 3, pooling='max'), F.resize_images(x, (5, 7)),
            F.spatial_transformer_grid(np.zeros((2, 2, 3), 'f'), (4, 5)), F.depth2space(np.zeros((2, 8, 3, 3), 'f'), 2), F.space2depth(x, 2),
            F.im2col(x, 3, 2, 1, cover_all=True), F.upsampling_2d(np.ones((1, 1, 2, 2), 'f'), np.zeros((1, 1, 2, 2), 'i'), 2, 2), F.unpooling_2d(x, 2, cover_all=False),
            F.local_response_normalization(x), F.max_pooling_2d(x, (3, 2), stride=(2, 1), pad=1, return_indices=True), F.average_pooling_nd(x, 3, 2, 1, pad_value=None))
