# entry: forward
# arg: x=chainer.Variable(f32[4,5])
# arg: t:i32[4]
import chainer
import chainer.functions as F
import numpy as np


def forward(x, t):
    return (F.softmax_cross_entropy(x, t, normalize=False, class_weight=np.ones(5, 'f')), F.softmax_cross_entropy(x, t, reduce='no'),
            F.sigmoid_cross_entropy(x, np.ones((4, 5), 'i')), F.hinge(x, t, norm='L2'), F.triplet(x, x, x), F.contrastive(x, x, t),
            F.discriminative_margin_based_clustering_loss.__name__, F.kl_divergence.__name__ if hasattr(F, 'kl_divergence') else None,
            F.squared_error(x, x), F.absolute_error(x, x), F.mean_absolute_error(x, x), F.gaussian_nll(x, x, x), F.cross_covariance(x, x), F.decov(x),
            F.black_out.__name__, F.crf1d.__name__, F.accuracy(x, t, ignore_label=0), F.precision(x, t, label_num=5), F.r2_score(x, x), F.classification_summary(x, t, 5))
