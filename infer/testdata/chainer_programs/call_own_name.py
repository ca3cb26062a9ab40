# entry: Norm()
# arg: e:f32[4,3]
import chainer.links as L


class Norm(L.LayerNormalization):
    def __init__(self):
        super().__init__(3)

    def __call__(self, e):
        return super().__call__(e)
