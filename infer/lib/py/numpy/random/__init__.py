# This file defines numpy's generators of random numbers; the functions are
# operator records.
import _shapecheck
import numpy
import numpy.random as _r


def _checked(seed):
    # What RandomState takes as a seed: an int below 2**32, or several.
    if seed is None or _shapecheck.is_unknown(seed):
        return
    if isinstance(seed, (float, str, numpy.floating)):
        raise TypeError('Cannot cast scalar to int64 according to the rule safe')
    if isinstance(seed, (list, tuple)):
        if len(seed) == 0:
            raise ValueError('Seed must be non-empty')
        for part in seed:
            _checked(part)
    if isinstance(seed, (int, numpy.integer)) and not _shapecheck.is_symbolic(seed) and not 0 <= seed < 2**32:
        raise ValueError('Seed must be between 0 and 2**32 - 1')


def seed(seed=None):
    _checked(seed)


def get_state(legacy=True):
    keys, kept = numpy.empty(624, numpy.uint32), _shapecheck.unknown('where a source of random numbers is')
    if legacy:
        return 'MT19937', keys, kept, kept, kept
    return {'bit_generator': 'MT19937', 'state': {'key': keys, 'pos': kept}, 'has_gauss': kept, 'gauss': kept}


def set_state(state):
    pass


class SeedSequence:
    def __init__(self, entropy=None, **kwargs):
        self.entropy = entropy

    def generate_state(self, n_words, dtype=numpy.uint32):
        if numpy.dtype(dtype) not in (numpy.dtype('uint32'), numpy.dtype('uint64')):
            raise ValueError('only support uint32 or uint64')
        return numpy.empty(n_words, dtype)

    def spawn(self, n_children):
        return [SeedSequence(self.entropy) for _ in range(n_children)]


class BitGenerator:
    def __init__(self, seed=None):
        self.state = {}

    def random_raw(self, size=None, output=True):
        if not output:
            return None
        return int(numpy.empty((), numpy.uint64)) if size is None else numpy.empty(size, numpy.uint64)


class PCG64(BitGenerator):
    pass


class PCG64DXSM(PCG64):
    pass


class SFC64(BitGenerator):
    pass


class Philox(BitGenerator):
    pass


class MT19937(BitGenerator):
    pass


class _Source:
    # Every distribution is that of the module; _filling names those that can write to an array.
    _filling = ()

    def __getattr__(self, name):
        if name.startswith('_') or name not in self._names:
            raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name + "'")
        found = getattr(_r, '_g_' + name if name in self._other else name)
        return _writing(found) if name in self._filling else found


_shared = frozenset((
    'beta', 'binomial', 'chisquare', 'choice', 'dirichlet', 'exponential', 'f', 'gamma', 'geometric', 'gumbel', 'hypergeometric', 'laplace', 'logistic',
    'lognormal', 'logseries', 'multinomial', 'multivariate_normal', 'negative_binomial', 'noncentral_chisquare', 'noncentral_f', 'normal', 'pareto',
    'permutation', 'poisson', 'power', 'random', 'rayleigh', 'shuffle', 'standard_cauchy', 'standard_exponential', 'standard_gamma', 'standard_normal',
    'standard_t', 'triangular', 'uniform', 'vonmises', 'wald', 'weibull', 'zipf', 'bytes'))


class RandomState(_Source):
    _other = ()
    _names = _shared | frozenset(('rand', 'randn', 'randint', 'random_sample', 'random_integers', 'tomaxint'))

    def __init__(self, seed=None):
        _checked(seed)

    def seed(self, seed=None):
        _checked(seed)

    def get_state(self, legacy=True):
        return get_state(legacy)

    def set_state(self, state):
        pass


def _writing(draw):
    def f(*args, out=None, **kwargs):
        if out is None:
            return draw(*args, **kwargs)
        size = kwargs.get('size')
        if size is not None and numpy.broadcast_shapes(out.shape, size if isinstance(size, tuple) else (size,)) != out.shape:
            raise ValueError('size must match out.shape when used together')
        if not args:
            kwargs['size'] = out.shape
        if numpy.dtype(kwargs.get('dtype', numpy.float64)) != out.dtype:
            raise TypeError('Supplied output array has the wrong type.')
        out[...] = draw(*args, **kwargs)
        return out
    return f


class Generator(_Source):
    _filling = ('random', 'standard_normal', 'standard_exponential', 'standard_gamma')
    _other = ('random', 'standard_normal', 'standard_exponential', 'standard_gamma', 'choice', 'permutation', 'shuffle', 'multivariate_normal')
    _names = _shared | frozenset(('integers', 'permuted', 'multivariate_hypergeometric'))

    def __init__(self, bit_generator=None):
        self.bit_generator = bit_generator

    def uniform(self, low=0.0, high=1.0, size=None):
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and high < low:
            raise ValueError('high - low < 0')
        return _r.uniform(low, high, size)

    def multinomial(self, n, pvals, size=None):
        if not isinstance(n, (numpy.ndarray, list, tuple)) and numpy.ndim(pvals) < 2:
            return _r.multinomial(n, pvals, size)
        n, p = numpy.asarray(n), numpy.asarray(pvals)
        if n.dtype.kind not in 'iub':
            raise TypeError("Cannot cast array data from dtype('%s') to dtype('int64') according to the rule 'safe'" % n.dtype)
        shape = numpy.broadcast_shapes(n.shape, p.shape[:-1])
        if size is not None:
            size = tuple(size) if isinstance(size, (tuple, list)) else (size,)
            if numpy.broadcast_shapes(shape, size) != size:
                raise ValueError('Output size %s is not compatible with broadcast dimensions of inputs %s.' % (size, shape))
            shape = size
        return numpy.empty(shape + p.shape[-1:], numpy.int64)

    if (_shapecheck.get_option('numpy-version') or '2') >= '1.25':
        def spawn(self, n_children):
            return [Generator() for _ in range(n_children)]


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, (float, str, numpy.inexact, numpy.ndarray)) and not (isinstance(seed, numpy.ndarray) and seed.ndim):
        raise TypeError('SeedSequence expects int or sequence of ints for entropy not ' + str(seed))
    for part in seed if isinstance(seed, (list, tuple)) else [seed]:
        if isinstance(part, (int, numpy.integer)) and not _shapecheck.is_symbolic(part) and part < 0:
            raise ValueError('expected non-negative integer')
    return Generator(PCG64(seed))
