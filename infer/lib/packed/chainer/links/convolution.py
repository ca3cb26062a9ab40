# This file defines links of convolutions.
import numpy
from chainer import Chain, Link, as_array, as_variable, initializers
from chainer import functions as F
from ._weights import bias, grouped, known_keywords, pair, several, weight


def _same_channels(out_channels, b):
    if b is not None and out_channels != b.size:
        raise ValueError('`out_channels` does not match the size of `b`')


class Convolution2D(Link):
    def __init__(self, in_channels, out_channels, ksize=None, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None, **kwargs):
        super().__init__()
        known_keywords(kwargs, 'dilate', 'groups')
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        self.ksize, self.stride, self.pad, self.dilate = ksize, pair(stride), pair(pad), pair(kwargs.get('dilate', 1))
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, int(kwargs.get('groups', 1))
        with self.init_scope():
            self.W = weight(initialW)
            if in_channels is not None:
                self._initialize_params(in_channels)
            self.b = bias(nobias, initial_bias, out_channels)

    def _initialize_params(self, in_channels):
        kh, kw = pair(self.ksize)
        grouped(self.out_channels, in_channels, self.groups)
        self.W.initialize((self.out_channels, int(in_channels / self.groups), kh, kw))

    @classmethod
    def from_params(cls, W, b=None, stride=1, pad=0, nobias=False, **kwargs):
        known_keywords(kwargs, 'dilate', 'groups')
        out_channels, channels, kh, kw = W.shape
        groups = kwargs.get('groups', 1)
        _same_channels(out_channels, b)
        return cls(channels * groups, out_channels, (kh, kw), stride, pad, nobias, as_array(W), as_array(b), dilate=kwargs.get('dilate', 1), groups=groups)

    def forward(self, x):
        x = as_variable(x)
        if self.W._waits:
            _, channels, _, _ = x.shape
            self._initialize_params(channels)
        return F.convolution_2d(x, self.W, self.b, self.stride, self.pad, dilate=self.dilate, groups=self.groups)


class ConvolutionND(Link):
    def __init__(self, ndim, in_channels, out_channels, ksize=None, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None, cover_all=False, dilate=1, groups=1):
        super().__init__()
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        self.out_channels, self.ksize, self.stride, self.pad = out_channels, several(ksize, ndim), stride, pad
        self.cover_all, self.dilate, self.groups = cover_all, several(dilate, ndim), int(groups)
        with self.init_scope():
            self.W = weight(initialW)
            if in_channels is not None:
                self._initialize_params(in_channels)
            self.b = bias(nobias, initial_bias, out_channels)

    def _initialize_params(self, in_channels):
        grouped(self.out_channels, in_channels, self.groups)
        self.W.initialize((self.out_channels, int(in_channels / self.groups)) + self.ksize)

    @classmethod
    def from_params(cls, W, b=None, stride=1, pad=0, nobias=False, **kwargs):
        known_keywords(kwargs, 'cover_all', 'dilate', 'groups')
        out_channels, channels, *ksize = W.shape
        _same_channels(out_channels, b)
        return cls(len(ksize), channels * kwargs.get('groups', 1), out_channels, ksize, stride, pad, nobias, as_array(W), as_array(b), **kwargs)

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.convolution_nd(x, self.W, self.b, self.stride, self.pad, cover_all=self.cover_all, dilate=self.dilate, groups=self.groups)


class Convolution1D(ConvolutionND):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None, cover_all=False, dilate=1, groups=1):
        super().__init__(1, in_channels, out_channels, ksize, stride, pad, nobias, initialW, initial_bias, cover_all, dilate, groups)


class Convolution3D(ConvolutionND):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None, cover_all=False, dilate=1, groups=1):
        super().__init__(3, in_channels, out_channels, ksize, stride, pad, nobias, initialW, initial_bias, cover_all, dilate, groups)


class Deconvolution2D(Link):
    def __init__(self, in_channels, out_channels, ksize=None, stride=1, pad=0, nobias=False, outsize=None, initialW=None, initial_bias=None, **kwargs):
        super().__init__()
        known_keywords(kwargs, 'dilate', 'groups')
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        self.ksize, self.stride, self.pad, self.dilate = ksize, pair(stride), pair(pad), pair(kwargs.get('dilate', 1))
        self.outsize = (None, None) if outsize is None else outsize
        self.out_channels, self.groups = out_channels, int(kwargs.get('groups', 1))
        with self.init_scope():
            self.W = weight(initialW)
            if in_channels is not None:
                self._initialize_params(in_channels)
            if isinstance(initial_bias, numpy.ndarray) and not nobias:
                assert initial_bias.shape == (out_channels,)
            self.b = bias(nobias, initial_bias, out_channels)

    def _initialize_params(self, in_channels):
        kh, kw = pair(self.ksize)
        grouped(self.out_channels, in_channels, self.groups)
        self.W.initialize((in_channels, int(self.out_channels / self.groups), kh, kw))

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.deconvolution_2d(x, self.W, self.b, self.stride, self.pad, self.outsize, dilate=self.dilate, groups=self.groups)


class DeconvolutionND(Link):
    def __init__(self, ndim, in_channels, out_channels, ksize=None, stride=1, pad=0, nobias=False, outsize=None, initialW=None, initial_bias=None, dilate=1, groups=1):
        super().__init__()
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        self.out_channels, self.ksize, self.stride, self.pad = out_channels, several(ksize, ndim), stride, pad
        self.outsize, self.dilate, self.groups = outsize, several(dilate, ndim), int(groups)
        with self.init_scope():
            self.W = weight(initialW)
            if in_channels is not None:
                self._initialize_params(in_channels)
            self.b = bias(nobias, initial_bias, out_channels)

    def _initialize_params(self, in_channels):
        grouped(self.out_channels, in_channels, self.groups)
        self.W.initialize((in_channels, int(self.out_channels / self.groups)) + self.ksize)

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.deconvolution_nd(x, self.W, b=self.b, stride=self.stride, pad=self.pad, outsize=self.outsize, dilate=self.dilate, groups=self.groups)


class Deconvolution1D(DeconvolutionND):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, nobias=False, outsize=None, initialW=None, initial_bias=None, dilate=1, groups=1):
        super().__init__(1, in_channels, out_channels, ksize, stride, pad, nobias, outsize, initialW, initial_bias, dilate, groups)


class Deconvolution3D(DeconvolutionND):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, nobias=False, outsize=None, initialW=None, initial_bias=None, dilate=1, groups=1):
        super().__init__(3, in_channels, out_channels, ksize, stride, pad, nobias, outsize, initialW, initial_bias, dilate, groups)


class DilatedConvolution2D(Link):
    def __init__(self, in_channels, out_channels, ksize=None, stride=1, pad=0, dilate=1, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        if ksize is None:
            out_channels, ksize, in_channels = in_channels, out_channels, None
        self.ksize, self.stride, self.pad, self.dilate, self.out_channels = ksize, pair(stride), pair(pad), pair(dilate), out_channels
        with self.init_scope():
            self.W = weight(initialW)
            if in_channels is not None:
                self._initialize_params(in_channels)
            self.b = bias(nobias, initial_bias, out_channels)

    def _initialize_params(self, in_channels):
        kh, kw = pair(self.ksize)
        self.W.initialize((self.out_channels, in_channels, kh, kw))

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.dilated_convolution_2d(x, self.W, self.b, self.stride, self.pad, self.dilate)


class DepthwiseConvolution2D(Link):
    def __init__(self, in_channels, channel_multiplier, ksize, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        self.ksize, self.stride, self.pad = ksize, pair(stride), pair(pad)
        self.channel_multiplier, self.nobias = channel_multiplier, nobias
        with self.init_scope():
            self.W = weight(initializers.HeNormal(0.7071067811865475) if initialW is None else initialW)
            self.b = bias(nobias, initial_bias)
        if in_channels is not None:
            self._initialize_params(in_channels)

    def _initialize_params(self, in_channels):
        kh, kw = pair(self.ksize)
        self.W.initialize((self.channel_multiplier, in_channels, kh, kw))
        if self.b is not None:
            self.b.initialize(self.channel_multiplier * in_channels)

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.depthwise_convolution_2d(x, self.W, self.b, self.stride, self.pad)


class DeformableConvolution2DSampler(Link):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, nobias=False, initialW=None, initial_bias=None):
        super().__init__()
        self.ksize, self.stride, self.pad, self.out_channels = ksize, pair(stride), pair(pad), out_channels
        with self.init_scope():
            self.W = weight(initializers.Zero() if initialW is None else initialW)
            self.b = bias(nobias, initial_bias)
        if in_channels is not None:
            self._initialize_params(in_channels)

    def _initialize_params(self, in_channels):
        kh, kw = pair(self.ksize)
        self.W.initialize((self.out_channels, in_channels, kh, kw))
        if self.b is not None:
            self.b.initialize(self.out_channels)

    def forward(self, x, offset):
        if self.W._waits:
            self._initialize_params(x.shape[1])
        return F.deformable_convolution_2d_sampler(x, offset, self.W, self.b, self.stride, self.pad)


class DeformableConvolution2D(Chain):
    def __init__(self, in_channels, out_channels, ksize, stride=1, pad=0, offset_nobias=False, offset_initialW=None, offset_initial_bias=None,
                 deform_nobias=False, deform_initialW=None, deform_initial_bias=None):
        super().__init__()
        kh, kw = pair(ksize)
        with self.init_scope():
            self.offset_conv = Convolution2D(in_channels, 2 * kh * kw, ksize, stride, pad, offset_nobias, offset_initialW, offset_initial_bias)
            self.deform_conv = DeformableConvolution2DSampler(in_channels, out_channels, ksize, stride, pad, deform_nobias, deform_initialW, deform_initial_bias)

    def forward(self, x):
        return self.deform_conv(x, self.offset_conv(x))


class LocalConvolution2D(Link):
    def __init__(self, in_channels, out_channels, in_size=None, ksize=None, stride=1, nobias=False, initialW=None, initial_bias=None, **kwargs):
        super().__init__()
        self.ksize, self.stride, self.nobias, self.out_channels = ksize, pair(stride), nobias, out_channels
        with self.init_scope():
            self.W = weight(initialW)
            self.b = bias(nobias, initial_bias)
            if in_channels is not None and in_size is not None:
                self._initialize_params(in_channels, pair(in_size))

    def _initialize_params(self, in_channels, in_size):
        kh, kw = pair(self.ksize)
        ih, iw = pair(in_size)
        oh = (ih - kh + self.stride[0]) // self.stride[0]
        ow = (iw - kw + self.stride[1]) // self.stride[1]
        self.W.initialize((self.out_channels, oh, ow, in_channels, kh, kw))
        if not self.nobias:
            self.b.initialize((self.out_channels, oh, ow))

    def forward(self, x):
        if self.W._waits:
            self._initialize_params(x.shape[1], x.shape[2:])
        return F.local_convolution_2d(x, self.W, self.b, self.stride)
