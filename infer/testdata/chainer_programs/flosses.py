# entry: forward
# arg: x:f32[4,5]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import numpy as np


def forward(x, t):
    y = (x > 0.5).astype('i')
    out = [F.softmax_cross_entropy(x, t), F.softmax_cross_entropy(x, t, reduce='no'), F.softmax_cross_entropy(x, t, class_weight=np.ones(5, 'f'), ignore_label=0), F.softmax_cross_entropy(x, x), F.sigmoid_cross_entropy(x, y),
           F.sigmoid_cross_entropy(x, y, reduce='no'), F.hinge(x, t), F.hinge(x, t, 'L2', 'no'), F.huber_loss(x, x, 1.0), F.huber_loss(x, x, 1.0, 'no'), F.mean_squared_error(x, x), F.mean_absolute_error(x, x), F.absolute_error(x, x),
           F.squared_error(x, x), F.contrastive(x, x, y[:, 0]), F.triplet(x, x, x), F.bernoulli_nll(x, x), F.gaussian_nll(x, x, x, 'no'), F.gaussian_kl_divergence(x, x), F.cross_covariance(x, x), F.decov(x), F.black_out(x, t, x, np.zeros((4, 2), 'i')) if False else 0,
           F.accuracy(x, t), F.accuracy(x, t, ignore_label=1), F.binary_accuracy(x, y), F.r2_score(x, x), F.classification_summary(x, t, 5), F.precision(x, t, 5), F.f1_score(x, t, 5), F.evaluation if False else 0,
           F.connectionist_temporal_classification([x, x], np.zeros((4, 1), 'i'), 0), F.negative_sampling(x, t, x, lambda s: np.zeros(s, 'i'), 3), F.discriminative_margin_based_clustering_loss if False else 0, F.crf1d(np.zeros((5, 5), 'f'), [x], [t]),
           F.argmax_crf1d(np.zeros((5, 5), 'f'), [x]), F.gumbel_softmax(x), F.gaussian(x, x), F.dropout(x), F.zoneout(x, x), F.simplified_dropconnect(x, np.ones((3, 5), 'f')), F.embed_id(t, x), F.linear(x, np.ones((2, 5), 'f')), F.bilinear(x, x, np.ones((5, 5, 2), 'f')),
           F.prelu(x, np.ones(5, 'f')), F.rrelu(x), F.crelu(x), F.maxout(x, 5), F.swish(x, np.ones(5, 'f')), F.log_softmax(x), F.hard_sigmoid(x), F.selu(x), F.elu(x), F.clipped_relu(x), F.softplus(x), F.lstm(x[:, :1], x[:, :4]), F.slstm(x[:, :1], x[:, :1], x[:, :4], x[:, :4]),
           F.batch_l2_norm_squared(x), F.mean(x), F.minimum(x, x), F.clip(x, 0., 1.), F.fix(x), F.forget(lambda z: F.relu(z), x)]
    return out
