# entry: TextClassifier(CNNEncoder(1, 30, 9), 3)
# arg: xs=[np.array([1, 2, 3, 4, 5], 'i'), np.array([2, 3, 9], 'i')]
# arg: ys=[np.array([1], 'i'), np.array([0], 'i')]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def block_embed(embed, x, dropout=0.):
    e = embed(x)
    e = F.dropout(e, ratio=dropout)
    e = F.transpose(e, (0, 2, 1))
    return e[:, :, :, None]


class MLP(chainer.ChainList):
    def __init__(self, n_layers, n_units, dropout=0.1):
        super(MLP, self).__init__()
        for i in range(n_layers):
            self.add_link(L.Linear(None, n_units))
        self.dropout = dropout
        self.out_units = n_units

    def forward(self, x):
        for i, link in enumerate(self.children()):
            x = F.dropout(x, ratio=self.dropout)
            x = F.relu(link(x))
        return x


class CNNEncoder(chainer.Chain):
    def __init__(self, n_layers, n_vocab, n_units, dropout=0.1):
        out_units = n_units // 3
        super(CNNEncoder, self).__init__()
        with self.init_scope():
            self.embed = L.EmbedID(n_vocab, n_units, ignore_label=-1)
            self.cnn_w3 = L.Convolution2D(n_units, out_units, ksize=(3, 1), stride=1, pad=(2, 0), nobias=True)
            self.cnn_w4 = L.Convolution2D(n_units, out_units, ksize=(4, 1), stride=1, pad=(3, 0), nobias=True)
            self.cnn_w5 = L.Convolution2D(n_units, out_units, ksize=(5, 1), stride=1, pad=(4, 0), nobias=True)
            self.mlp = MLP(n_layers, out_units * 3, dropout)
        self.out_units = out_units * 3
        self.dropout = dropout

    def forward(self, xs):
        x_block = chainer.dataset.convert.concat_examples(xs, padding=-1)
        ex_block = block_embed(self.embed, x_block, self.dropout)
        h_w3 = F.max(self.cnn_w3(ex_block), axis=2)
        h_w4 = F.max(self.cnn_w4(ex_block), axis=2)
        h_w5 = F.max(self.cnn_w5(ex_block), axis=2)
        h = F.concat([h_w3, h_w4, h_w5], axis=1)
        h = F.relu(h)
        h = F.dropout(h, ratio=self.dropout)
        return self.mlp(h)


class TextClassifier(chainer.Chain):
    def __init__(self, encoder, n_class, dropout=0.1):
        super(TextClassifier, self).__init__()
        with self.init_scope():
            self.encoder = encoder
            self.output = L.Linear(encoder.out_units, n_class)
        self.dropout = dropout

    def forward(self, xs, ys):
        concat_outputs = self.predict(xs)
        concat_truths = F.concat(ys, axis=0)
        loss = F.softmax_cross_entropy(concat_outputs, concat_truths)
        accuracy = F.accuracy(concat_outputs, concat_truths)
        chainer.report({'loss': loss}, self)
        chainer.report({'accuracy': accuracy}, self)
        return loss

    def predict(self, xs, softmax=False, argmax=False):
        concat_encodings = F.dropout(self.encoder(xs), ratio=self.dropout)
        concat_outputs = self.output(concat_encodings)
        if softmax:
            return F.softmax(concat_outputs).array
        elif argmax:
            return self.xp.argmax(concat_outputs.array, axis=1)
        else:
            return concat_outputs
