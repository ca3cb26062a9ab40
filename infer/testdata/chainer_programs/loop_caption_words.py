# entry: decode
# arg: features:f32[3,40]
# arg: longest=5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np

BOS, EOS = 0, 1


class Captions(chainer.Chain):
    def __init__(self, words, units):
        super().__init__()
        with self.init_scope():
            self.embed = L.EmbedID(words, units)
            self.image = L.Linear(None, units)
            self.lstm = L.LSTM(units, units)
            self.out = L.Linear(units, words)

    def decode(self, features, longest):
        self.lstm.reset_state()
        self.lstm(F.dropout(self.image(features)))
        words = self.xp.full((len(features), 1), BOS, dtype=np.int32)
        for _ in range(longest):
            y = self.out(self.lstm(self.embed(words[:, -1])))
            best = y.array.argmax(axis=1).astype(np.int32)
            words = self.xp.hstack((words, best[:, None]))
            if (best == EOS).all():
                break
        return words


def decode(features, longest):
    return Captions(30, 16).decode(features, longest)
