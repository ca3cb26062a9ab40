# This file defines numpy's generators of random numbers; the functions are
# operator records.
import numpy.random as _r


def seed(seed=None):
    pass


def get_state(legacy=True):
    return {}


def set_state(state):
    pass


class SeedSequence:
    def __init__(self, entropy=None, **kwargs):
        self.entropy = entropy

    def spawn(self, n_children):
        return [SeedSequence(self.entropy) for _ in range(n_children)]


class BitGenerator:
    def __init__(self, seed=None):
        self.state = {}


class PCG64(BitGenerator):
    pass


class Philox(BitGenerator):
    pass


class MT19937(BitGenerator):
    pass


class _Source:
    # Every distribution is that of the module.
    def __getattr__(self, name):
        if name.startswith('_') or name not in self._names:
            raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name + "'")
        return getattr(_r, name)


_shared = frozenset((
    'beta', 'binomial', 'chisquare', 'choice', 'dirichlet', 'exponential', 'f', 'gamma', 'geometric', 'gumbel', 'hypergeometric', 'laplace', 'logistic',
    'lognormal', 'logseries', 'multinomial', 'multivariate_normal', 'negative_binomial', 'noncentral_chisquare', 'noncentral_f', 'normal', 'pareto',
    'permutation', 'poisson', 'power', 'random', 'rayleigh', 'shuffle', 'standard_cauchy', 'standard_exponential', 'standard_gamma', 'standard_normal',
    'standard_t', 'triangular', 'uniform', 'vonmises', 'wald', 'weibull', 'zipf', 'bytes'))


class RandomState(_Source):
    _names = _shared | frozenset(('rand', 'randn', 'randint', 'random_sample', 'random_integers', 'tomaxint'))

    def __init__(self, seed=None):
        pass

    def seed(self, seed=None):
        pass

    def get_state(self, legacy=True):
        return {}

    def set_state(self, state):
        pass


class Generator(_Source):
    _names = _shared | frozenset(('integers', 'permuted', 'multivariate_hypergeometric'))

    def __init__(self, bit_generator=None):
        self.bit_generator = bit_generator

    def spawn(self, n_children):
        return [Generator() for _ in range(n_children)]


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(PCG64(seed))
