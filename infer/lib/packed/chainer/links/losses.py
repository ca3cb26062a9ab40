# This file defines links that end in a loss.
import numpy
import chainer
from chainer import Chain, Link, Parameter, initializers
from chainer import functions as F


class Classifier(Chain):
    compute_accuracy = True

    def __init__(self, predictor, lossfun=F.softmax_cross_entropy, accfun=F.accuracy, label_key=-1):
        if not isinstance(label_key, (int, str)):
            raise TypeError('label_key must be int or str, but is %s' % type(label_key))
        super().__init__()
        self.lossfun, self.accfun, self.label_key = lossfun, accfun, label_key
        self.y = self.loss = self.accuracy = None
        with self.init_scope():
            self.predictor = predictor

    def forward(self, *args, **kwargs):
        key = self.label_key
        if isinstance(key, int):
            if not (-len(args) <= key < len(args)):
                raise ValueError('Label key %d is out of bounds' % key)
            t = args[key]
            if key == -1:
                args = args[:-1]
            else:
                args = args[:key] + args[key + 1:]
        else:
            if key not in kwargs:
                raise ValueError('Label key "%s" is not found' % key)
            t = kwargs.pop(key)
        self.y = self.loss = self.accuracy = None
        self.y = self.predictor(*args, **kwargs)
        self.loss = self.lossfun(self.y, t)
        chainer.report({'loss': self.loss}, self)
        if self.compute_accuracy:
            self.accuracy = self.accfun(self.y, t)
            chainer.report({'accuracy': self.accuracy}, self)
        return self.loss


class _Sampler:
    """Draws numbers by their counts."""

    def __init__(self, counts):
        self._weights = counts

    def sample(self, shape):
        from chainer.utils import _drawn
        return _drawn(self._weights, shape).astype(numpy.int32)


class BlackOut(Link):
    sample_data = None

    def __init__(self, in_size, counts, sample_size):
        super().__init__()
        p = numpy.array(counts, dtype=numpy.float32)
        self.sampler = _Sampler(p)
        self.sample_size = sample_size
        with self.init_scope():
            self.W = Parameter(shape=(len(counts), in_size))

    def forward(self, x, t):
        samples = self.sample_data
        if samples is None:
            samples = self.sampler.sample((x.shape[0], self.sample_size))
        return F.black_out(x, t, self.W, chainer.Variable(samples, requires_grad=False))


class NegativeSampling(Link):
    def __init__(self, in_size, counts, sample_size, power=0.75, dtype=None):
        super().__init__()
        dtype = chainer.get_dtype(dtype)
        self.sample_size = sample_size
        p = numpy.power(numpy.array(counts, dtype), dtype.type(power))
        self.sampler = _Sampler(p)
        with self.init_scope():
            self.W = Parameter(0, (len(counts), in_size))

    def forward(self, x, t, reduce='sum', *, return_samples=False):
        return F.negative_sampling(x, t, self.W, self.sampler.sample, self.sample_size, reduce=reduce, return_samples=return_samples)


class CRF1d(Link):
    def __init__(self, n_label, initial_cost=None):
        super().__init__()
        with self.init_scope():
            self.cost = Parameter(initializers.Zero() if initial_cost is None else initial_cost, (n_label, n_label))

    def _steps(self, *lists):
        order = sorted(range(len(lists[0])), key=lambda i: -len(lists[0][i]))
        return order, [F.transpose_sequence([seq[i] for i in order]) for seq in lists]

    def forward(self, xs, ys, reduce='mean', transpose=False):
        if transpose:
            _, (xs, ys) = self._steps(xs, ys)
        return F.crf1d(self.cost, xs, ys, reduce)

    def argmax(self, xs, transpose=False):
        if not transpose:
            return F.argmax_crf1d(self.cost, xs)
        order, (steps,) = self._steps(xs)
        score, path = F.argmax_crf1d(self.cost, steps)
        path = [p.array for p in F.transpose_sequence(path)]
        place = [0] * len(order)
        for p, i in enumerate(order):
            place[i] = p
        score = F.permutate(score, numpy.array(order, dtype=numpy.int32), inv=True)
        return score, [path[p] for p in place]


class BinaryHierarchicalSoftmax(Link):
    def __init__(self, in_size, tree, dtype=None):
        super().__init__()
        dtype = chainer.get_dtype(dtype)
        self._leaves = {}
        self._inner = 0
        self._parse(tree, [], [])
        with self.init_scope():
            self.W = Parameter(initializers.Uniform(1), (self._inner, in_size))
        words = max(self._leaves) + 1
        depth = max([len(path) for path, _ in self._leaves.values()])
        # of each word the inner nodes on its path with the ways that it takes there, 1 and -1; beyond its end 0
        self._paths = numpy.array([self._row(w, 0, depth) for w in range(words)], dtype=numpy.int32).reshape(words, depth)
        self._codes = numpy.array([self._row(w, 1, depth) for w in range(words)], dtype=dtype).reshape(words, depth)

    def _parse(self, node, path, codes):
        if isinstance(node, tuple):
            if len(node) != 2:
                raise ValueError('All internal nodes must have two child nodes')
            here = path + [self._inner]
            self._inner += 1
            self._parse(node[0], here, codes + [1])
            self._parse(node[1], here, codes + [-1])
        else:
            self._leaves[node] = (path, codes)

    def _row(self, word, which, depth):
        row = self._leaves.get(word, ([], []))[which]
        return row + [0] * (depth - len(row))

    @staticmethod
    def create_huffman_tree(word_counts):
        if len(word_counts) == 0:
            raise ValueError('Empty vocabulary')
        nodes = sorted([(count, i, word) for i, (word, count) in enumerate(word_counts.items())])
        n = len(nodes)
        while len(nodes) > 1:
            (c1, _, a), (c2, _, b) = nodes[0], nodes[1]
            nodes = sorted(nodes[2:] + [(c1 + c2, n, (a, b))], key=lambda x: (x[0], x[1]))
            n += 1
        return nodes[0][2]

    def forward(self, x, t):
        from chainer.utils.type_check import InvalidType
        if not isinstance(x, (chainer.Variable, numpy.ndarray)) or not isinstance(t, (chainer.Variable, numpy.ndarray)):
            raise TypeError('incompatible array types are mixed in the forward input (BinaryHierarchicalSoftmaxFunction).')
        if x.dtype.kind != 'f':
            raise InvalidType('x.dtype.kind == f', '%s != f' % x.dtype.kind)
        if x.ndim != 2:
            raise InvalidType('x.ndim == 2', '%s != 2' % x.ndim)
        if t.dtype != numpy.int32:
            raise InvalidType('t.dtype == int32', '%s != int32' % t.dtype)
        if t.ndim != 1:
            raise InvalidType('t.ndim == 1', '%s != 1' % t.ndim)
        if x.shape[0] != t.shape[0]:
            raise InvalidType('x.shape[0] == t.shape[0]', '%s != %s' % (x.shape[0], t.shape[0]))
        if self.W.shape[1] != x.shape[1]:
            raise InvalidType('W.shape[1] == x.shape[1]', '%s != %s' % (self.W.shape[1], x.shape[1]))
        if self.W.dtype != x.dtype:
            raise InvalidType('W.dtype == x.dtype', '%s != %s' % (self.W.dtype, x.dtype))
        words = t.array if isinstance(t, chainer.Variable) else t
        codes = self._codes[words]
        z = F.matmul(self.W[self._paths[words]], chainer.as_variable(x)[:, :, None])[:, :, 0]
        return F.sum(F.softplus(-codes * z) * (codes != 0).astype(x.dtype))
