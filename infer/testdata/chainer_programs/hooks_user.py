# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L


class Note(chainer.FunctionHook):
    name = 'Note'

    def __init__(self):
        self.seen = []

    def added(self, function):
        self.seen.append(('added', function is None))

    def deleted(self, function):
        self.seen.append(('deleted', function is None))

    def forward_preprocess(self, function, in_data):
        self.seen.append(('pre', function.label, len(in_data), in_data[0].shape))

    def forward_postprocess(self, function, in_data):
        self.seen.append(('post', function.label, function._impl_name if hasattr(function, 'nothing') else None))

    def backward_preprocess(self, function, in_data, out_grad):
        self.seen.append(('bpre', function.label, len(in_data), len(out_grad)))

    def backward_postprocess(self, function, in_data, out_grad):
        self.seen.append(('bpost', function.label))


def forward(x):
    hook = Note()
    l = L.Linear(3, 4)
    with hook:
        y = F.relu(l(x))
        z = F.sum(y * 2 + 1)
    F.sum(x)
    z.backward()
    return hook.seen
