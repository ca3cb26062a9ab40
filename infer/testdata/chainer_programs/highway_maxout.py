# entry: forward
# arg: x:f32[3,6]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    h = L.Highway(6)(x)
    m = L.Maxout(6, 4, 3)(x)
    p = L.PReLU()(x)
    s = L.Swish((6,))(x)
    b = L.Bilinear(6, 6, 2)(x, x)
    sc = L.Scale(1, (6,))(x)
    pr = L.Parameter(x)()
    z = L.Zoneoutlstm(6, 4)(x) if hasattr(L, 'Zoneoutlstm') else L.StatefulZoneoutLSTM(6, 4)(x)
    pe = L.StatefulPeepholeLSTM(6, 4)(x)
    mg = L.StatefulMGU(6, 4)(x)
    return h, m, p, s, b, sc, pr, z, pe, mg
