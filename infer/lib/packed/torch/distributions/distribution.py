# This file defines the base of distributions.
import _shapecheck
import functools
import torch
from . import constraints


class Distribution:
    has_rsample = False
    has_enumerate_support = False
    arg_constraints = {}
    _validate_args = True
    _takes_numbers = False

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith('torch.distributions.'):
            return
        # Those of the library look at their arguments first.
        for name in ('log_prob', 'cdf'):
            method = cls.__dict__.get(name)
            if method is not None and getattr(cls, '_looks_at_values', True):
                setattr(cls, name, _looking(method, name))
        made = cls.__dict__.get('__init__')
        if made is not None:
            cls.__init__ = _with_validate_args(made)

    @staticmethod
    def set_default_validate_args(value):
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    @property
    def support(self):
        raise NotImplementedError

    def _parameter(self, name):
        return self.__dict__.get(name)

    def _validate_parameters(self):
        for name, constraint in self.arg_constraints.items():
            value = self._parameter(name)
            if constraints.is_dependent(constraint) or not isinstance(value, torch.Tensor):
                continue
            if _certainly_outside(constraint, value):
                raise ValueError(f'Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution '
                                 f'{type(self).__name__} to satisfy the constraint {constraint!r}, but found invalid values')

    def _validate_sample(self, value, method='log_prob'):
        if not isinstance(value, torch.Tensor):
            if self._takes_numbers or _shapecheck.is_unknown(value):
                return
            raise ValueError(f'The value argument to {method} must be a Tensor')
        want = tuple(self._batch_shape) + tuple(self._event_shape)
        given = tuple(value.shape)
        n = len(self._event_shape)
        event = given[max(len(given) - n, 0):] if n else ()
        # torch says so: a last axis of another size is no event, one of size 1 included.
        if len(event) < n or any([_differ(a, b) for a, b in zip(event, self._event_shape)]):
            raise _refused(f'The right-most size of value must match event_shape: {value.size()} vs {self._event_shape}.')
        for i, j in zip(reversed(given), reversed(want)):
            if _differ(i, 1) and _differ(j, 1) and _differ(i, j):
                raise _refused(f'Value is not broadcastable with batch_shape+event_shape: {given} vs {want}.')
        try:
            support = self.support
        except NotImplementedError:
            return
        if _certainly_outside(support, value):
            raise ValueError(f'Expected value argument ({type(value).__name__} of shape {given}) to be within the support '
                             f'({support!r}) of the distribution {type(self).__name__}, but found invalid values')

    def _get_checked_instance(self, cls, _instance=None):
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f'Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom __init__ method '
                                      'must also define a custom .expand() method.')
        return self.__new__(type(self)) if _instance is None else _instance

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    def _extended_shape(self, sample_shape=torch.Size()):
        return torch.Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    # What samples are like: a tensor of the right dtype and device.
    def _like(self):
        raise NotImplementedError

    # A tensor of a shape whose elements are not computed.
    def _unshown(self, what, shape):
        like = self._like()
        return torch._stand_in(torch.empty(shape, dtype=like.dtype, device=like.device), what=f'torch.distributions.{type(self).__name__}.{what}')

    # Random numbers between 0, which never comes, and 1; of a standard normal distribution.
    def _rand(self, sample_shape):
        like = self._like()
        tiny = torch.finfo(like.dtype).tiny
        return torch.rand(self._extended_shape(sample_shape), dtype=like.dtype, device=like.device).clamp(min=tiny)

    def _randn(self, sample_shape):
        like = self._like()
        return torch.randn(self._extended_shape(sample_shape), dtype=like.dtype, device=like.device)

    def rsample(self, sample_shape=torch.Size()):
        return self._unshown('rsample', self._extended_shape(sample_shape))

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample(torch.Size((n,)))

    @property
    def mean(self):
        return self._unshown('mean', self._extended_shape())

    @property
    def mode(self):
        return self._unshown('mode', self._extended_shape())

    @property
    def variance(self):
        return self._unshown('variance', self._extended_shape())

    @property
    def stddev(self):
        return self.variance.sqrt()

    def entropy(self):
        return self._unshown('entropy', self._batch_shape)

    def perplexity(self):
        return torch.exp(self.entropy())

    # The value must broadcast with batch and event shape; event axes are summed.
    def log_prob(self, value):
        return self._of_value('log_prob', value)

    def cdf(self, value):
        return self._of_value('cdf', value)

    def icdf(self, value):
        return self._of_value('icdf', value)

    def _of_value(self, what, value):
        if self._validate_args and what == 'log_prob':
            self._validate_sample(value)
        p = value + self._unshown(what, self._extended_shape())
        return sum_rightmost(p, len(self._event_shape))

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        old = self._batch_shape
        new._batch_shape = torch.Size(batch_shape)
        for name in self.arg_names:
            p = getattr(self, name)
            if isinstance(p, torch.Tensor):
                setattr(new, name, p.expand(tuple(batch_shape) + tuple(p.shape[len(old):])))
        return new

    arg_names = ()


def _differ(a, b):
    """Whether two sizes are numbers that differ."""
    if _shapecheck.is_symbolic(a) or _shapecheck.is_symbolic(b) or _shapecheck.is_unknown(a) or _shapecheck.is_unknown(b):
        return False
    return a != b


def _refused(text):
    """An exception about sizes; it is reported under their code."""
    e = ValueError(text)
    e.__shapecheck_code__ = 'SC101'
    return e


def _certainly_outside(constraint, value):
    """Whether a constraint does not hold for numbers that are known."""
    if not _shapecheck.has_numbers(value) or _shapecheck.is_unknown(constraint):
        return False
    valid = constraint.check(value)
    return _shapecheck.has_numbers(valid) and not valid.all().item()


def _looking(method, name):
    @functools.wraps(method)
    def looking(self, value):
        if self._validate_args:
            self._validate_sample(value, name)
        return method(self, value)

    return looking


def _with_validate_args(method):
    @functools.wraps(method)
    def __init__(self, *args, **kwargs):
        validate_args = kwargs.get('validate_args')
        if validate_args is not None:
            self._validate_args = validate_args
        method(self, *args, **kwargs)

    return __init__


class ExponentialFamily(Distribution):
    pass


def broadcast_all(*values):
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    if not tensors:
        return tuple([torch.tensor(float(v)) for v in values])
    like = tensors[0]
    return torch.broadcast_tensors(*[v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=like.dtype, device=like.device)
                                     for v in values])


def sum_rightmost(x, n):
    for _ in range(n):
        x = x.sum(-1)
    return x


# Probabilities that have a logarithm, and whose complement has one.
def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)
