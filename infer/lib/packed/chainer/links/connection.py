# This file defines links of full connections, and small links with one parameter.
import numpy
import chainer
from chainer import Chain, ChainList, Link, initializers
from chainer import functions as F
from ._weights import bias, size_of, weight
from .convolution import Convolution2D
from .normalization import BatchNormalization


class Linear(Link):
    """x·Wᵀ + b; without in_size the first call decides it."""

    def __init__(self, in_size, out_size=None, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        if out_size is None:
            in_size, out_size = None, in_size
        self.in_size, self.out_size = in_size, out_size
        with self.init_scope():
            self.W = weight(initialW)
            if in_size is not None:
                self._initialize_params(in_size)
            self.b = bias(nobias, initial_bias, out_size)

    def _initialize_params(self, in_size):
        self.W.initialize((self.out_size, in_size))

    @classmethod
    def from_params(cls, W, b=None, nobias=False):
        out_size, in_size = W.shape
        if b is not None and out_size != b.size:
            raise ValueError('`out_size` does not match the size of `b`')
        return cls(in_size, out_size, nobias, initialW=chainer.as_array(W), initial_bias=chainer.as_array(b))

    @property
    def printable_specs(self):
        return iter([('in_size', self.in_size), ('out_size', self.out_size), ('nobias', self.b is None)])

    def forward(self, x, n_batch_axes=1):
        if self.W._waits:
            self._initialize_params(size_of(x.shape[n_batch_axes:]))
        return F.linear(x, self.W, self.b, n_batch_axes=n_batch_axes)


class Bias(Link):
    def __init__(self, axis=1, shape=None):
        super().__init__()
        if shape is not None:
            with self.init_scope():
                self.b = chainer.Parameter(0, shape)
        self.axis = axis

    def forward(self, *xs):
        if hasattr(self, 'b'):
            x, = xs
            return F.bias(x, self.b, self.axis)
        x, y = xs
        return F.bias(x, y, self.axis)


class Scale(Chain):
    def __init__(self, axis=1, W_shape=None, bias_term=False, bias_shape=None):
        super().__init__()
        self.axis = axis
        with self.init_scope():
            if W_shape is not None:
                self.W = chainer.Parameter(1, W_shape)
                bias_shape = W_shape
            if bias_term:
                if bias_shape is None:
                    raise ValueError('bias_shape should be given if W is not learnt parameter and bias_term is True.')
                self.bias = Bias(axis, bias_shape)

    def forward(self, *xs):
        if hasattr(self, 'W'):
            x, = xs
            y = self.W
        else:
            x, y = xs
        z = F.scale(x, y, self.axis)
        return self.bias(z) if hasattr(self, 'bias') else z


class Bilinear(Link):
    def __init__(self, left_size, right_size, out_size, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        self.in_sizes = (left_size, right_size)
        self.nobias = nobias

        def given(name, initializer, shape, default=None):
            if isinstance(initializer, numpy.ndarray):
                assert initializer.shape == shape
            setattr(self, name, chainer.Parameter(initializers._get_initializer(default if initializer is None else initializer), shape))
        with self.init_scope():
            given('W', initialW, (left_size, right_size, out_size))
            if not nobias:
                v1 = v2 = b = None
                if isinstance(initial_bias, tuple):
                    v1, v2, b = initial_bias
                elif initial_bias is not None:
                    raise ValueError('initial_bias must be tuple or None')
                given('V1', v1, (left_size, out_size))
                given('V2', v2, (right_size, out_size))
                given('b', b, (out_size,), 0)

    def zero_grads(self):
        self.zerograds()

    def forward(self, e1, e2):
        if self.nobias:
            return F.bilinear(e1, e2, self.W)
        return F.bilinear(e1, e2, self.W, self.V1, self.V2, self.b)


class EmbedID(Link):
    ignore_label = None

    def __init__(self, in_size, out_size, initialW=None, ignore_label=None):
        super().__init__()
        self.ignore_label = ignore_label
        with self.init_scope():
            self.W = chainer.Parameter(initializers.Normal(1.0) if initialW is None else initialW, (in_size, out_size))

    @classmethod
    def from_params(cls, W, ignore_label=None):
        n, m = W.shape
        return cls(n, m, initialW=chainer.as_array(W), ignore_label=ignore_label)

    def forward(self, x):
        return F.embed_id(x, self.W, ignore_label=self.ignore_label)


class Highway(Chain):
    def __init__(self, in_out_size, nobias=False, activate=F.relu, init_Wh=None, init_Wt=None, init_bh=None, init_bt=-1):
        super().__init__()
        self.activate = activate
        with self.init_scope():
            self.plain = Linear(in_out_size, in_out_size, nobias, init_Wh, init_bh)
            self.transform = Linear(in_out_size, in_out_size, nobias, init_Wt, init_bt)

    def forward(self, x):
        plain = self.activate(self.plain(x))
        gate = F.sigmoid(self.transform(x))
        return plain * gate + x * (1 - gate)


class Inception(Chain):
    def __init__(self, in_channels, out1, proj3, out3, proj5, out5, proj_pool, conv_init=None, bias_init=None):
        super().__init__()
        like = dict(initialW=conv_init, initial_bias=bias_init)
        with self.init_scope():
            self.conv1 = Convolution2D(in_channels, out1, 1, **like)
            self.proj3 = Convolution2D(in_channels, proj3, 1, **like)
            self.conv3 = Convolution2D(proj3, out3, 3, pad=1, **like)
            self.proj5 = Convolution2D(in_channels, proj5, 1, **like)
            self.conv5 = Convolution2D(proj5, out5, 5, pad=2, **like)
            self.projp = Convolution2D(in_channels, proj_pool, 1, **like)

    def forward(self, x):
        parts = [self.conv1(x)]
        parts.append(self.conv3(F.relu(self.proj3(x))))
        parts.append(self.conv5(F.relu(self.proj5(x))))
        parts.append(self.projp(F.max_pooling_2d(x, 3, stride=1, pad=1)))
        return F.relu(F.concat(parts, axis=1))


class InceptionBN(Chain):
    def __init__(self, in_channels, out1, proj3, out3, proj33, out33, pooltype, proj_pool=None, stride=1, conv_init=None, dtype=None):
        super().__init__()
        self.out1, self.proj_pool, self.stride, self.pooltype = out1, proj_pool, stride, pooltype
        if pooltype not in ('max', 'avg'):
            raise NotImplementedError()
        like = dict(nobias=True, initialW=conv_init)
        with self.init_scope():
            self.proj3 = Convolution2D(in_channels, proj3, 1, **like)
            self.conv3 = Convolution2D(proj3, out3, 3, pad=1, stride=stride, **like)
            self.proj33 = Convolution2D(in_channels, proj33, 1, **like)
            self.conv33a = Convolution2D(proj33, out33, 3, pad=1, **like)
            self.conv33b = Convolution2D(out33, out33, 3, pad=1, stride=stride, **like)
            self.proj3n = BatchNormalization(proj3, dtype=dtype)
            self.conv3n = BatchNormalization(out3, dtype=dtype)
            self.proj33n = BatchNormalization(proj33, dtype=dtype)
            self.conv33an = BatchNormalization(out33, dtype=dtype)
            self.conv33bn = BatchNormalization(out33, dtype=dtype)
            if out1 > 0:
                assert stride == 1
                assert proj_pool is not None
                self.conv1 = Convolution2D(in_channels, out1, 1, stride=stride, **like)
                self.conv1n = BatchNormalization(out1, dtype=dtype)
            if proj_pool is not None:
                self.poolp = Convolution2D(in_channels, proj_pool, 1, **like)
                self.poolpn = BatchNormalization(proj_pool, dtype=dtype)

    def forward(self, x):
        parts = []
        if self.out1 > 0:
            parts.append(F.relu(self.conv1n(self.conv1(x))))
        h = F.relu(self.proj3n(self.proj3(x)))
        parts.append(F.relu(self.conv3n(self.conv3(h))))
        h = F.relu(self.proj33n(self.proj33(x)))
        h = F.relu(self.conv33an(self.conv33a(h)))
        parts.append(F.relu(self.conv33bn(self.conv33b(h))))
        if self.pooltype == 'max':
            p = F.max_pooling_2d(x, 3, stride=self.stride, pad=1, cover_all=False)
        else:
            p = F.average_pooling_2d(x, 3, stride=self.stride, pad=1)
        if self.proj_pool is not None:
            p = F.relu(self.poolpn(self.poolp(p)))
        parts.append(p)
        return F.concat(parts, axis=1)


class MLPConvolution2D(ChainList):
    def __init__(self, in_channels, out_channels, ksize=None, stride=1, pad=0, activation=F.relu, *, conv_init=None, bias_init=None):
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        assert len(out_channels) > 0
        like = dict(initialW=conv_init, initial_bias=bias_init)
        convs = [Convolution2D(in_channels, out_channels[0], ksize, stride, pad, **like)]
        for i in range(len(out_channels) - 1):
            convs.append(Convolution2D(out_channels[i], out_channels[i + 1], 1, **like))
        super().__init__(*convs)
        self.activation = activation

    def forward(self, x):
        for conv in self[:-1]:
            x = self.activation(conv(x))
        return self[-1](x)


class Parameter(Link):
    def __init__(self, array):
        super().__init__()
        if not isinstance(array, numpy.ndarray):
            raise TypeError('an array is expected, not %s' % type(array))
        with self.init_scope():
            self.W = chainer.Parameter(array)

    def forward(self, volatile='off'):
        return F.identity(self.W)


class Maxout(Chain):
    def __init__(self, in_size, out_size, pool_size, initialW=None, initial_bias=0):
        super().__init__()
        n = out_size * pool_size
        if isinstance(initialW, numpy.ndarray):
            if initialW.ndim != 3:
                raise ValueError('initialW.ndim should be 3')
            initialW = initialW.reshape(n, in_size)
        if isinstance(initial_bias, numpy.ndarray):
            if initial_bias.ndim != 2:
                raise ValueError('initial_bias.ndim should be 2')
            initial_bias = initial_bias.reshape(n)
        with self.init_scope():
            self.linear = Linear(in_size, n, nobias=initial_bias is None, initialW=initialW, initial_bias=initial_bias)
        self.out_size, self.pool_size = out_size, pool_size

    def forward(self, x):
        return F.maxout(self.linear(x), self.pool_size)


class PReLU(Link):
    def __init__(self, shape=(), init=0.25):
        super().__init__()
        with self.init_scope():
            self.W = chainer.Parameter(init, shape)

    def forward(self, x):
        return F.prelu(x, self.W)


class SimplifiedDropconnect(Link):
    def __init__(self, in_size, out_size, ratio=0.5, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        self.out_size, self.ratio = out_size, ratio
        with self.init_scope():
            self.W = weight(initializers.HeNormal(0.7071067811865475) if initialW is None else initialW)
            if in_size is not None:
                self._initialize_params(in_size)
            self.b = bias(nobias, initial_bias, out_size)

    def _initialize_params(self, in_size):
        self.W.initialize((self.out_size, in_size))

    def forward(self, x, train=True, mask=None, use_batchwise_mask=True):
        if self.W._waits:
            self._initialize_params(x.size // len(x))
        if mask is not None and 'mask' not in self.__dict__:
            self.add_persistent('mask', mask)
        return F.simplified_dropconnect(x, self.W, self.b, self.ratio, train, mask, use_batchwise_mask)


class Swish(Link):
    def __init__(self, beta_shape, beta_init=1.0):
        super().__init__()
        with self.init_scope():
            if beta_shape is not None:
                self.beta = chainer.Parameter(beta_init, beta_shape)
            else:
                self.beta = chainer.Parameter(initializers.Constant(beta_init))

    def forward(self, x):
        if self.beta._waits:
            self.beta.initialize(x.shape[1:])
        return F.swish(x, self.beta)
