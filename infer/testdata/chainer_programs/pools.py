# entry: forward
# arg: x:f32[2,3,9,7]
import chainer
import chainer.functions as F
import numpy as np


def forward(x):
    p, i = F.max_pooling_2d(x, 2, return_indices=True)
    rois = np.array([[0, 0, 4, 4], [1, 1, 6, 8]], 'f')
    ix = np.array([0, 1], 'i')
    return (p, i, F.max_pooling_2d(x, 3, 2, 1, False), F.average_pooling_2d(x, 3, 2, 1), F.max_pooling_nd(x, (2, 3), pad=1), F.average_pooling_nd(x, 2, pad_value=None), F.unpooling_2d(x, 2), F.unpooling_2d(x, 3, 2, 1, (17, 13), False),
            F.unpooling_nd(x, 2), F.upsampling_2d(p, i, 2, outsize=(9, 7)), F.spatial_pyramid_pooling_2d(x, 2, pooling='max'), F.roi_pooling_2d(x, np.hstack([ix[:, None].astype('f'), rois]), 3, 2, 0.5), F.roi_max_pooling_2d(x, rois, ix, (3, 2), 0.5),
            F.roi_average_pooling_2d(x, rois, ix, 2, 1.0), F.roi_max_align_2d(x, rois, ix, 2, 1.0, 2), F.roi_average_align_2d(x, rois, ix, (2, 3), 1.0), F.max_pooling_1d(x[0], 2), F.average_pooling_3d(x[None], 2), F.global_average if False else 0,
            F.shift(np.zeros((1, 9, 4, 4), 'f')), F.local_convolution_2d(x, np.ones((2, 8, 6, 3, 2, 2), 'f')), F.dilated_convolution_2d(x, np.ones((2, 3, 2, 2), 'f'), dilate=2), F.deconvolution_2d(x, np.ones((3, 2, 3, 3), 'f'), stride=2, pad=1, dilate=2, groups=1),
            F.depthwise_convolution_2d(x, np.ones((2, 3, 3, 3), 'f')), F.convolution_1d(x[0], np.ones((4, 9, 3), 'f')), F.deformable_convolution_2d_sampler(x, np.zeros((2, 18, 7, 5), 'f'), np.ones((4, 3, 3, 3), 'f')))
