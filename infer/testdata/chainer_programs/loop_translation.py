# entry: translate
# arg: n=2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np

EOS = 1


class Decoder(chainer.Chain):
    def __init__(self, words, units):
        super().__init__()
        with self.init_scope():
            self.embed = L.EmbedID(words, units)
            self.lstm = L.NStepLSTM(2, units, units, 0.1)
            self.out = L.Linear(units, words)

    def translate(self, batch, longest):
        ys, h, c, columns = np.full(batch, EOS, np.int32), None, None, []
        with chainer.no_backprop_mode(), chainer.using_config('train', False):
            for _ in range(longest):
                h, c, ys = self.lstm(h, c, F.split_axis(self.embed(ys), batch, 0))
                ys = self.xp.argmax(self.out(F.concat(ys, axis=0)).array, axis=1).astype(np.int32)
                columns.append(ys)
        texts = []
        for row in np.stack(columns, axis=1):
            ends = np.argwhere(row == EOS)
            texts.append(row[:ends[0, 0]] if len(ends) > 0 else row)
        return texts


def translate(n):
    return Decoder(20, 8).translate(n, 4)
