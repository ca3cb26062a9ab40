# entry: forward
# arg: x:f32[4,3]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x, t):
    w = np.array([1, 2, 0.5], np.float32)
    return (F.softmax_cross_entropy(x, t, class_weight=w), F.softmax_cross_entropy(x, t, normalize=False, reduce='no'), F.softmax_cross_entropy(x, np.full((4, 3), 1 / 3, 'f')), F.sigmoid_cross_entropy(x, np.zeros((4, 3), 'i'), reduce='no'), F.hinge(x, t, norm='L2'),
            F.accuracy(x, t, ignore_label=0), F.negative_sampling if False else 0, F.classification_summary(x, t, label_num=3), F.precision(x, t, label_num=3), F.f1_score(x, t, label_num=3), F.r2_score(x, x, multioutput='raw_values'), F.huber_loss(x, x, 1, reduce='no'), F.triplet(x, x, x, margin=0.1))
