# entry: forward
# arg: xs=[f32[3,4], f32[2,4]]
import chainer
import chainer.links as L


def forward(xs):
    r = L.NStepLSTM(2, 4, 5, 0.1)
    hx = r.init_hx(xs)
    h, c, ys = r(hx, hx, xs)
    return hx, h, c, ys, r.n_layers, r.out_size, r.use_bi_direction, len(list(r.children())), r[0].w0, r[1].w0
