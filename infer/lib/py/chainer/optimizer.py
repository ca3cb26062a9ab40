# This file defines optimizers: they call the loss and leave the parameters' types alone.
import _shapecheck
import numpy
from .serializer import AbstractSerializer, Deserializer, Serializer


class UpdateRule:
    """What an optimizer keeps of a parameter: arrays of its type, by name in state after the first update."""

    _states = ()

    def __init__(self, parent_hyperparam=None):
        self.hyperparam = parent_hyperparam
        self.enabled = True
        self.t = 0
        self.state = None

    def update(self, param):
        if self.enabled:
            self.t += 1
            if self.state is None:
                self.state = {}
                self.init_state(param)

    def init_state(self, param):
        for name in self._states:
            self.state[name] = numpy.empty_like(param.array)

    def add_hook(self, hook, name=None, timing='auto'):
        pass

    def remove_hook(self, name):
        pass


class Hyperparameter:
    def __init__(self, parent=None):
        self.parent = parent


class _Hyperparameters(Hyperparameter):
    # Those of an optimizer, which has them as its attributes.
    def __init__(self, optimizer):
        self.__dict__['parent'] = None
        self.__dict__['_optimizer'] = optimizer

    def __getattr__(self, name):
        return self.__dict__['_optimizer'].__dict__[name]

    def __setattr__(self, name, value):
        self.__dict__['_optimizer'].__dict__[name] = value


class Optimizer:
    target = None
    t = 0
    epoch = 0
    auto_new_epoch = False

    def setup(self, link):
        from .link import Link
        if not isinstance(link, Link):
            raise TypeError('optimization target must be a link')
        self.target = link
        return self

    def update(self, lossfun=None, *args, **kwds):
        raise NotImplementedError

    def new_epoch(self, auto=False):
        self.epoch += 1

    def add_hook(self, hook, name=None, timing='auto'):
        if not callable(hook):
            raise TypeError('hook function is not callable')

    def remove_hook(self, name):
        pass

    def call_hook(self, hook):
        pass

    def call_hooks(self, timing='pre'):
        pass

    def serialize(self, serializer):
        pass

    def loss_scaling(self, interval=1000, scale=None):
        pass

    def set_loss_scale(self, loss_scale):
        pass

    def check_nan_in_grads(self):
        pass

    def is_safe_to_update(self):
        return True


class GradientMethod(Optimizer):
    _rule = UpdateRule

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)

    @property
    def hyperparam(self):
        return _Hyperparameters(self)

    def setup(self, link):
        super().setup(link)
        for param in link.params():
            param.update_rule = self.create_update_rule()
        return self

    def use_cleargrads(self, use=True):
        pass

    def use_fp32_update(self, flag=True):
        pass

    def reallocate_cleared_grads(self):
        pass

    def create_update_rule(self):
        return self._rule(self.hyperparam)

    def update(self, lossfun=None, *args, **kwds):
        if self.target is None:
            raise RuntimeError('Optimizer.setup() has not been called')
        if lossfun is not None:
            loss = lossfun(*args, **kwds)
            self.target.cleargrads()
            loss.backward()
        params = list(self.target.params(include_uninit=False))
        _shapecheck.updated(params)
        for param in params:
            param.update()
        self.t += 1


class HyperparameterProxy:
    def __init__(self, attr_name):
        self._attr_name = attr_name
