# entry: forward
# arg: x:f32[4,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    t = np.array([0, 1, 2, -1], np.int32)
    v = chainer.Variable(x)
    return (F.softmax_cross_entropy(v, t), F.softmax_cross_entropy(v, t, reduce='no'), F.softmax_cross_entropy(v, t, class_weight=np.ones(5, 'f')), F.sigmoid_cross_entropy(v, np.ones((4, 5), 'i')), F.hinge(v, np.abs(t)), F.accuracy(v, t, ignore_label=-1),
            F.mean_squared_error(v, x), F.mean_absolute_error(v, x), F.huber_loss(v, x, 1.0), F.triplet(v, v, v), F.contrastive(v, v, np.array([0, 1, 0, 1])), F.gaussian_kl_divergence(v, v), F.bernoulli_nll(x, v), F.gaussian_nll(x, v, v), F.cross_covariance(v, v), F.decov(v), F.binary_accuracy(v, np.ones((4, 5), 'i')), F.precision(v, np.abs(t)), F.r2_score(v, x), F.squared_error(v, x), F.classification_summary(v, np.abs(t)))
