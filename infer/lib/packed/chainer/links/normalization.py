# This file defines links of normalizations.
import _shapecheck
import numpy
import chainer
from chainer import Link, Parameter, initializers
from chainer import functions as F
from ._weights import known_keywords, size_of


def _filled(value, dtype):
    initializer = initializers._get_initializer(value)
    initializer.dtype = dtype
    return Parameter(initializer)


class BatchNormalization(Link):
    gamma = None
    beta = None

    def __init__(self, size=None, decay=0.9, eps=2e-5, dtype=None, use_gamma=True, use_beta=True, initial_gamma=None, initial_beta=None, axis=None,
                 initial_avg_mean=None, initial_avg_var=None):
        super().__init__()
        if size is None and axis is None:
            raise RuntimeError('size or axis is required')
        self._initial_avg_mean, self._initial_avg_var = initial_avg_mean, initial_avg_var
        self.N = 0
        self.register_persistent('N')
        self.decay, self.eps = decay, eps
        self.axis = (axis,) if isinstance(axis, int) else axis
        self._highprec_dtype = chainer.get_dtype(dtype, map_mixed16=numpy.float32)
        with self.init_scope():
            if use_gamma:
                self.gamma = _filled(1 if initial_gamma is None else initial_gamma, self._highprec_dtype)
            if use_beta:
                self.beta = _filled(0 if initial_beta is None else initial_beta, self._highprec_dtype)
        self.avg_mean = self.avg_var = None
        if size is not None:
            self._initialize_params(size)
        self._persistent.add('avg_mean')
        self._persistent.add('avg_var')

    def _initialize_params(self, shape):
        self.avg_mean = self._stats(self._initial_avg_mean, 0, shape)
        self.avg_var = self._stats(self._initial_avg_var, 1, shape)
        self._buffers['avg_mean'] = self.avg_mean
        self._buffers['avg_var'] = self.avg_var
        if self.gamma is not None:
            self.gamma.initialize(shape)
        if self.beta is not None:
            self.beta.initialize(shape)

    def _stats(self, initial, default, shape):
        if initial is None or numpy.isscalar(initial):
            return numpy.full(shape, default if initial is None else initial, dtype=self._highprec_dtype)
        return initializers.generate_array(initializers._get_initializer(initial), shape, numpy, dtype=self._highprec_dtype)

    def _both(self, x):
        gamma, beta = self.gamma, self.beta
        if gamma is None:
            gamma = numpy.ones(self.avg_mean.shape, dtype=self._highprec_dtype)
        if beta is None:
            beta = numpy.zeros(self.avg_mean.shape, dtype=self._highprec_dtype)
        return gamma, beta

    def forward(self, x, **kwargs):
        known_keywords(kwargs, 'finetune')
        if self.avg_mean is None:
            _shapecheck.before_call(self._initialize_params, tuple([x.shape[i] for i in range(x.ndim) if i not in self.axis]))
        gamma, beta = self._both(x)
        if chainer.config.train:
            decay = self.decay
            if kwargs.get('finetune'):
                self.N += 1
                decay = 1.0 - 1.0 / self.N
            return F.batch_normalization(x, gamma, beta, eps=self.eps, running_mean=self.avg_mean, running_var=self.avg_var, decay=decay, axis=self.axis)
        return F.fixed_batch_normalization(x, gamma, beta, self.avg_mean, self.avg_var, self.eps, axis=self.axis)

    def start_finetuning(self):
        self.N = 0


class BatchRenormalization(BatchNormalization):
    def __init__(self, size, rmax=1, dmax=0, decay=0.9, eps=2e-5, dtype=None, use_gamma=True, use_beta=True, initial_gamma=None, initial_beta=None,
                 initial_avg_mean=None, initial_avg_var=None):
        super().__init__(size, decay, eps, dtype, use_gamma, use_beta, initial_gamma, initial_beta, None, initial_avg_mean, initial_avg_var)
        self.rmax, self.dmax, self.r, self.d = rmax, dmax, None, None

    def _both(self, x):
        gamma, beta = self.gamma, self.beta
        if gamma is None:
            gamma = numpy.ones(self.avg_mean.shape, dtype=x.dtype)
        if beta is None:
            beta = numpy.zeros(self.avg_mean.shape, dtype=x.dtype)
        return gamma, beta

    def forward(self, x, finetune=False):
        gamma, beta = self._both(x)
        if chainer.config.train:
            decay = self.decay
            if finetune:
                self.N += 1
                decay = 1.0 - 1.0 / self.N
            return F.batch_renormalization(x, gamma, beta, self.rmax, self.dmax, self.eps, self.avg_mean, self.avg_var, decay, update_statistics=True)
        return F.fixed_batch_normalization(x, gamma, beta, self.avg_mean, self.avg_var, self.eps)


class DecorrelatedBatchNormalization(Link):
    def __init__(self, size, groups=16, decay=0.9, eps=2e-5, dtype=numpy.float32):
        super().__init__()
        c = size // groups
        self.avg_mean = numpy.zeros((groups, c), dtype=dtype)
        self.register_persistent('avg_mean')
        self.avg_projection = numpy.zeros((groups, c, c), dtype=dtype)
        self.register_persistent('avg_projection')
        self.N = 0
        self.register_persistent('N')
        self.decay, self.eps, self.groups = decay, eps, groups

    def forward(self, x, **kwargs):
        known_keywords(kwargs, 'finetune')
        if chainer.config.train:
            decay = self.decay
            if kwargs.get('finetune'):
                self.N += 1
                decay = 1.0 - 1.0 / self.N
            return F.decorrelated_batch_normalization(x, groups=self.groups, eps=self.eps, running_mean=self.avg_mean, running_projection=self.avg_projection, decay=decay)
        return F.fixed_decorrelated_batch_normalization(x, self.avg_mean, self.avg_projection, groups=self.groups)

    def start_finetuning(self):
        self.N = 0


class GroupNormalization(Link):
    def __init__(self, groups, size=None, eps=1e-5, initial_gamma=None, initial_beta=None):
        super().__init__()
        dtype = chainer.get_dtype(None, map_mixed16=numpy.float32)
        with self.init_scope():
            self.groups = groups
            self.gamma = _filled(1 if initial_gamma is None else initial_gamma, dtype)
            self.beta = _filled(0 if initial_beta is None else initial_beta, dtype)
            self.eps = eps
        if size is not None:
            self._initialize_params(size)

    def _initialize_params(self, size):
        self.gamma.initialize(size)
        self.beta.initialize(size)

    def forward(self, x):
        if self.gamma._waits:
            if x.ndim < 2:
                raise ValueError('Input dimension must be at least 2, including batch size dimension (first dimension).')
            self._initialize_params(x.shape[1])
        return F.group_normalization(x, self.groups, self.gamma, self.beta, self.eps)


class LayerNormalization(Link):
    def __init__(self, size=None, eps=1e-6, initial_gamma=None, initial_beta=None):
        super().__init__()
        with self.init_scope():
            self.gamma = Parameter(1 if initial_gamma is None else initial_gamma)
            self.beta = Parameter(0 if initial_beta is None else initial_beta)
            self.eps = eps
        if size is not None:
            self._initialize_params(size)

    def _initialize_params(self, size):
        self.gamma.initialize(size)
        self.beta.initialize(size)

    def forward(self, x):
        if self.gamma._waits:
            self._initialize_params(size_of(x.shape[1:]))
        return F.layer_normalization(x, self.gamma, self.beta, self.eps)
