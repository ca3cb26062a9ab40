# entry: forward
# arg: xs=[f32[3,2], f32[5,2], f32[1,2]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(xs):
    lens = [len(x) for x in xs]
    order = np.argsort(lens)[::-1]
    back = np.argsort(order)
    ys = [xs[i] for i in order]
    s = np.sort(np.array(lens))
    top = np.argmax(lens)
    return [y.shape for y in ys], [ys[i].shape for i in back], s[-1], int(top), F.concat(ys, axis=0), F.split_axis(F.concat(ys, axis=0), np.cumsum([len(y) for y in ys])[:-1], axis=0), max(lens), np.max(lens), np.flip(np.array(lens))
