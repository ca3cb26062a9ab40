# entry: Captions(30, 16)
# arg: features:f32[3,40]
# arg: captions:i32[3,6]
import chainer
import chainer.functions as F
import chainer.links as L

PAD = -1


class Captions(chainer.Chain):
    def __init__(self, words, units):
        super().__init__()
        with self.init_scope():
            self.embed = L.EmbedID(words, units, ignore_label=PAD)
            self.image = L.Linear(None, units)
            self.lstm = L.LSTM(units, units)
            self.out = L.Linear(units, words)

    def forward(self, features, captions):
        self.lstm.reset_state()
        self.lstm(self.image(features))
        loss, steps = 0, 0
        for i in range(captions.shape[1] - 1):
            now, then = captions[:, i], captions[:, i + 1]
            if (then == PAD).all():
                break
            loss += F.softmax_cross_entropy(self.out(self.lstm(self.embed(now))), then, ignore_label=PAD)
            steps += 1
        return loss / max(steps, 1)
