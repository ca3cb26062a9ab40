# entry: forward
import chainer
import chainer.links as L
import numpy as np
from chainer import serializers


class State(chainer.Link):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.w = chainer.Parameter(np.zeros((2, 3), 'f'))
        self.add_persistent('n', 3)
        self.count = 0

    def serialize(self, serializer):
        super().serialize(serializer)
        self.count = serializer('count', self.count)


def forward():
    s = State()
    d = serializers.DictionarySerializer()
    d.save(s)
    names = sorted(d.target)
    t = State()
    t.count = 9
    n = serializers.NpzDeserializer(d.target)
    n.load(t)
    return names, t.count, t.w, int(t.n)
