# entry: forward
# arg: x:f32[2,3,8,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    theta = np.tile(np.array([[[1, 0, 0], [0, 1, 0]]], 'f'), (2, 1, 1))
    grid = F.spatial_transformer_grid(theta, (4, 5))
    rois = np.array([[0, 0, 4, 4], [1, 1, 5, 5]], 'f')
    idx = np.array([0, 1], 'i')
    return (F.spatial_transformer_sampler(x, grid), F.resize_images(x, (4, 3)), F.upsampling_2d(*[F.max_pooling_2d(x, 2, return_indices=True)[k] for k in (0, 1)], ksize=2), F.roi_average_align_2d(x, rois, idx, 2, 1.0), F.roi_max_pooling_2d(x, rois, idx, (2, 3), 1.0),
            F.spatial_pyramid_pooling_2d(x, 3, 'max'), F.im2col(x, 3, 1, 1), F.space2depth(x, 2), F.local_response_normalization(x), F.unpooling_2d(x, 2, cover_all=False), F.average_pooling_2d(x, (2, 3), stride=1, pad=(0, 1)))
