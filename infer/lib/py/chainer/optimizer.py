# This file defines optimizers: they call the loss and leave the parameters' types alone.
import _shapecheck
from .serializer import AbstractSerializer, Deserializer, Serializer


class UpdateRule:
    enabled = True

    def __init__(self, parent_hyperparam=None):
        self.hyperparam = parent_hyperparam

    def update(self, param):
        pass

    def add_hook(self, hook, name=None, timing='auto'):
        pass

    def remove_hook(self, name):
        pass


class Hyperparameter:
    def __init__(self, parent=None):
        self.parent = parent


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
    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)

    def use_cleargrads(self, use=True):
        pass

    def use_fp32_update(self, flag=True):
        pass

    def reallocate_cleared_grads(self):
        pass

    def create_update_rule(self):
        return UpdateRule()

    def update(self, lossfun=None, *args, **kwds):
        if self.target is None:
            raise RuntimeError('Optimizer.setup() has not been called')
        if lossfun is not None:
            loss = lossfun(*args, **kwds)
            self.target.cleargrads()
            loss.backward()
        _shapecheck.updated(list(self.target.params(include_uninit=False)))
        self.t += 1


class HyperparameterProxy:
    def __init__(self, attr_name):
        self._attr_name = attr_name
