# This file defines optimizers: they call the loss and leave the parameters' types alone.
import copy
import _shapecheck
import numpy
from chainer import Variable
from .serializer import AbstractSerializer, Deserializer, Serializer


class UpdateRule:
    """What an optimizer keeps of a parameter: arrays of its type, by name in state after the first update."""

    _states = ()
    is_elementwise = False

    def __init__(self, parent_hyperparam=None):
        self.hyperparam = parent_hyperparam
        self.enabled = True
        self.t = 0
        self._state = None

    @property
    def state(self):
        return self._state

    def update(self, param):
        if self.enabled:
            self.t += 1
            if self._state is None:
                self._state = {}
                self.init_state(param)
            for timing in ('pre', 'post'):
                for hook in list(_of_timing(self.__dict__.get('_hooks'), timing)):
                    hook(self, param)
                if timing == 'pre':
                    self.update_core(param)

    def update_core(self, param):
        self.update_core_cpu(param)

    def update_core_cpu(self, param):
        raise NotImplementedError

    def update_core_gpu(self, param):
        raise NotImplementedError

    def update_core_chainerx(self, param):
        self.update_core_cpu(param)

    def use_fp32_update(self, flag=True):
        pass

    def serialize(self, serializer):
        self.t = serializer('t', self.t)
        if self._state is not None:
            for name in self._state:
                self._state[name] = serializer(name, self._state[name])
        elif isinstance(serializer, Deserializer):
            other = copy.copy(self)  # whose state has the names
            other._state = {}
            array = numpy.empty(1, dtype=numpy.float32)
            other.init_state(Variable(array, grad=array))
            state = {}
            for name in other._state:
                try:
                    state[name] = serializer(name, None)
                except KeyError:
                    if self.enabled:
                        raise
                    state[name] = None
            if all(v is not None for v in state.values()):
                self._state = state

    def init_state(self, param):
        for name in self._states:
            self._state[name] = numpy.empty_like(param.array)

    def add_hook(self, hook, name=None, timing='auto'):
        _add_hook(self, hook, name, timing, 'hook "%s" already exists')

    def remove_hook(self, name):
        del self.__dict__['_hooks'][name]


def _add_hook(owner, hook, name, timing, exists):
    if not callable(hook):
        raise TypeError('hook function must be callable')
    if timing not in ('pre', 'post', 'auto'):
        raise ValueError("timing must be one of ('pre', 'post', 'auto')")
    if timing == 'auto':
        timing = getattr(hook, 'timing', 'pre')
        if timing not in ('pre', 'post'):
            timing = 'pre'
    if name is None:
        name = getattr(hook, 'name', getattr(hook, '__name__', None))
        if name is None:
            raise ValueError('the name of the hook function is not specified')
    hooks = owner.__dict__.setdefault('_hooks', {})
    if name in hooks:
        raise KeyError(exists % name)
    hooks[name] = (timing, hook)


def _of_timing(hooks, timing):
    return [hook for when, hook in (hooks or {}).values() if when == timing]


class Hyperparameter:
    def __init__(self, parent=None):
        self.parent = parent


class _Hyperparameters(Hyperparameter):
    # Those of an optimizer, which has them as its attributes.
    def __init__(self, optimizer):
        self.__dict__['parent'] = None
        self.__dict__['_optimizer'] = optimizer

    def __getattr__(self, name):
        values = self.__dict__['_optimizer'].__dict__
        if name not in values:
            raise AttributeError('_parent')  # as Chainer's, which asks the parent that it does not have
        return values[name]

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
        _add_hook(self, hook, name, timing, 'hook %s already exists')

    def remove_hook(self, name):
        if name not in self.__dict__.get('_hooks', {}):
            raise KeyError(name)
        del self.__dict__['_hooks'][name]

    def call_hook(self, hook):
        if getattr(hook, 'call_for_each_param', False):
            for param in self.target.params():
                hook(param.update_rule, param)
        else:
            hook(self)

    def call_hooks(self, timing='pre'):
        for hook in _of_timing(self.__dict__.get('_hooks'), timing):
            self.call_hook(hook)

    def serialize(self, serializer):
        self.t = serializer('t', self.t)
        self.epoch = serializer('epoch', self.epoch)
        for name, param in self.target.namedparams():
            rule = getattr(param, 'update_rule', None)
            if rule is not None:
                rule.serialize(serializer[name])

    def loss_scaling(self, interval=1000, scale=None):
        pass

    def set_loss_scale(self, loss_scale):
        pass

    def update_loss_scale(self):
        pass

    def check_nan_in_grads(self):
        pass

    def is_safe_to_update(self):
        return True


class _LibraryRule(UpdateRule):
    # The rule of an optimizer of Chainer: what it does to numbers is not modelled.
    def update_core_cpu(self, param):
        pass

    update_core_gpu = update_core_cpu


class GradientMethod(Optimizer):
    _rule = _LibraryRule

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
        self.call_hooks('pre')
        _shapecheck.updated(params)
        self.t += 1
        for param in params:
            param.update()
        self.call_hooks('post')


class HyperparameterProxy:
    def __init__(self, attr_name):
        self._attr_name = attr_name
