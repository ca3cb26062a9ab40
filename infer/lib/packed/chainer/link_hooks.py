# This file defines the hooks of links.
import numpy
from .function_hooks import _Timer
from .link import LinkHook
from .parameter import Parameter


class TimerHook(_Timer, LinkHook):
    name = 'TimerHook'

    def forward_preprocess(self, args):
        self._start()

    def forward_postprocess(self, args):
        self._stop(type(args.link).__name__)


class WeightStandardization(LinkHook):
    """Calls a link with its weight normalised over all but the first axis."""

    name = 'WeightStandardization'

    def __init__(self, *, eps=1e-5, weight_name='W', name=None):
        self.eps = eps
        self.weight_name = weight_name
        self._initialized = False
        if name is not None:
            self.name = name

    def __enter__(self):
        raise NotImplementedError('This hook is not supposed to be used as context manager.')

    def added(self, link):
        if not hasattr(link, self.weight_name):
            raise ValueError("Weight '%s' does not exist!" % self.weight_name)
        if getattr(link, self.weight_name).array is not None:
            self._initialized = True

    def forward_preprocess(self, args):
        from . import functions as F
        link = args.link
        if not self._initialized and getattr(link, self.weight_name).array is None:
            link._initialize_params(args.args[0].shape[1])
        weight = getattr(link, self.weight_name)
        self.original_weight = weight
        gamma, beta = numpy.ones((weight.shape[1],), weight.dtype), numpy.zeros((weight.shape[1],), weight.dtype)
        setattr(link, self.weight_name, F.group_normalization(weight, groups=1, gamma=gamma, beta=beta, eps=self.eps))

    def forward_postprocess(self, args):
        setattr(args.link, self.weight_name, self.original_weight)


class SpectralNormalization(LinkHook):
    """Gives a link the vector that approximates a singular vector of its weight, and gamma where use_gamma is on."""

    name = 'SpectralNormalization'

    def __init__(self, n_power_iteration=1, eps=1e-6, use_gamma=False, factor=None, weight_name='W', name=None):
        assert n_power_iteration > 0
        self.use_gamma = use_gamma
        self.weight_name = weight_name
        self.vector_name = weight_name + '_u'
        self.axis = 0
        self._initialized = False
        if name is not None:
            self.name = name

    def __enter__(self):
        raise NotImplementedError('This hook is not supposed to be used as context manager.')

    def added(self, link):
        from . import links as L
        if not hasattr(link, self.weight_name):
            raise ValueError("Weight '%s' does not exist!" % self.weight_name)
        if isinstance(link, (L.Deconvolution2D, L.DeconvolutionND)):
            self.axis = 1
        if getattr(link, self.weight_name).array is not None:
            self._prepare(link)

    def deleted(self, link):
        delattr(link, self.vector_name)
        if self.use_gamma:
            del link.gamma

    def forward_preprocess(self, args):
        link = args.link
        if not self._initialized:
            if getattr(link, self.weight_name).array is None:
                link._initialize_params(args.args[0].shape[1])
            self._prepare(link)

    def _prepare(self, link):
        weight = getattr(link, self.weight_name)
        link.add_persistent(self.vector_name, numpy.empty(weight.shape[self.axis], weight.dtype))
        if self.use_gamma:
            with link.init_scope():
                link.gamma = Parameter(numpy.empty((), weight.dtype))
        self._initialized = True
