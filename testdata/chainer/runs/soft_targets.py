# entry: Net()
# arg: x:f32[N,5]
# arg: t:f32[N,5]
# arg: th:f32[N,2,3]
# N: 2,4
import chainer
import chainer.functions as F


class Net(chainer.Chain):
    def forward(self, x, t, th):
        p = F.softmax(t).array
        a, b = F.fft((x, t))
        c, d = F.ifft((x, t))
        m = F.matmul(th, th, transb=True)
        k = F.concat([th, F.stack([th[:, 0] * 2 + 3 - th[:, 1]], 1) + F.broadcast_to(F.cumsum(th[0, 0] * 0 + 1), (len(th), 1, 3))], 1)
        return (F.batch_inv(m), F.inv(m[0]), F.batch_inv(k), F.softmax_cross_entropy(x, p), F.softmax_cross_entropy(x, p, reduce='no'), F.softmax_cross_entropy(x, p, soft_target_loss='kl-divergence'),
                F.spatial_transformer_grid(th, (3, 5)), F.spatial_transformer_grid(th, (1, 4)), a, b, c, d)
