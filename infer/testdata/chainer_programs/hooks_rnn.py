# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L


class Note(chainer.FunctionHook):
    name = 'N'

    def __init__(self):
        self.seen = []

    def forward_postprocess(self, function, in_data):
        self.seen.append(function.label)


def forward(x):
    hook = Note()
    lstm = L.LSTM(3, 4)
    emb = L.EmbedID(5, 3)
    with hook:
        y = lstm(x)
        t = F.transpose(y)
        t = t[0:2]
        t = F.expand_dims(t, 0)
        t = F.squeeze(t, 0)
        u = F.sigmoid(t) + F.tanh(t)
        v = F.matmul(u, u, transb=True)
        w = F.mean_squared_error(v, v)
    return hook.seen
