# entry: run
# arg: x:f32[2,3,17,22]
import chainer
import chainer.functions as F
import chainer.links as L


class EncDec(chainer.Chain):
    def __init__(self, n_class, chs=(8, 16)):
        super().__init__()
        self.n = len(chs)
        with self.init_scope():
            for i, c in enumerate(chs):
                setattr(self, 'enc%d' % i, L.Convolution2D(None, c, 3, 1, 1, nobias=True))
                setattr(self, 'enc%d_bn' % i, L.BatchNormalization(c, eps=1e-5, decay=0.9))
            for i, c in reversed(list(enumerate((chs[0],) + chs[:-1]))):
                setattr(self, 'dec%d' % i, L.Convolution2D(None, c, 3, 1, 1))
            self.score = L.DilatedConvolution2D(None, n_class, 3, 1, 2, dilate=2)

    def forward(self, x):
        idx = []
        h = F.local_response_normalization(x, 5, 1, 1e-4 / 5., 0.75)
        for i in range(self.n):
            h = F.relu(getattr(self, 'enc%d_bn' % i)(getattr(self, 'enc%d' % i)(h)))
            shape = h.shape[2:]
            h, ind = F.max_pooling_2d(h, 2, 2, return_indices=True)
            idx.append((ind, shape))
        for i in range(self.n - 1, -1, -1):
            ind, shape = idx[i]
            h = F.upsampling_2d(h, ind, 2, 2, outsize=shape)
            h = F.relu(getattr(self, 'dec%d' % i)(h))
        return self.score(h)


def run(x):
    m = EncDec(5)
    y = m(x)
    r = F.resize_images(y, (34, 44))
    t = chainer.Variable(x[:, 0].astype('i')).array % 5
    loss = F.softmax_cross_entropy(y, t, class_weight=m.xp.ones(5, 'f'))
    u = F.unpooling_2d(y, 2, cover_all=False)
    ps = F.depth2space(F.concat([y, y[:, :3]]), 2)
    sd = F.space2depth(ps, 2)
    roi = F.roi_pooling_2d(y, m.xp.array([[0, 0, 0, 9, 9], [1, 2, 2, 12, 12]], 'f'), 3, 4, 0.5)
    sp = F.spatial_pyramid_pooling_2d(y, 3, 'max')
    return y, r, loss, u, ps, sd, roi, sp, m.dec1.W, m.score.W
