# entry: LSTMLanguageModel(30, 16, 0.5, -1)
# arg: img_feats:f32[3,4096]
# arg: captions:i32[3,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class LSTMLanguageModel(chainer.Chain):
    def __init__(self, vocab_size, hidden_size, dropout_ratio, ignore_label):
        super(LSTMLanguageModel, self).__init__()
        with self.init_scope():
            self.embed_word = L.EmbedID(vocab_size, hidden_size, initialW=chainer.initializers.Normal(1.0), ignore_label=ignore_label)
            self.embed_img = L.Linear(hidden_size, initialW=chainer.initializers.Normal(0.01))
            self.lstm = L.LSTM(hidden_size, hidden_size)
            self.out_word = L.Linear(hidden_size, vocab_size, initialW=chainer.initializers.Normal(0.01))
        self.dropout_ratio = dropout_ratio

    def forward(self, img_feats, captions):
        self.reset(img_feats)
        loss = 0
        size = 0
        caption_length = captions.shape[1]
        for i in range(caption_length - 1):
            x = chainer.Variable(self.xp.asarray(captions[:, i]))
            t = chainer.Variable(self.xp.asarray(captions[:, i + 1]))
            y = self.step(x)
            loss += F.softmax_cross_entropy(y, t, ignore_label=-1)
            size += 1
        return loss / max(size, 1)

    def reset(self, img_feats):
        self.lstm.reset_state()
        h = self.embed_img(img_feats)
        h = F.dropout(h, ratio=self.dropout_ratio)
        self.lstm(h)

    def step(self, x):
        h = self.embed_word(x)
        h = self.lstm(F.dropout(h, ratio=self.dropout_ratio))
        return self.out_word(F.dropout(h, ratio=self.dropout_ratio))
