# jax.jit: which call traces. A function object has a list of entries; the key of a call is
# the tree of its positional and keyword arguments as written, each leaf's dtype, shape and
# weak type, and the static arguments by type and value.
import functools
import inspect
import numpy as np
import _shapecheck
import _traces
from . import _core, tree_util
from ._core import Array, state, asarray, blank

_functions = []  # (the function object, its _Cache)


class _Cache:
    def __init__(self):
        self.entries = []    # (key, result, effects)
        self.unsure = False  # a call whose key is not known may have traced
        self.seen = []       # descriptions of the calls from the top level


def clear_caches():
    del _functions[:]


def _cache_of(fun):
    for f, c in _functions:
        if f is fun:
            return c
    c = _Cache()
    _functions.append((fun, c))
    return c


class _Effects:
    """What a trace makes happen at each call: (kind, what, arguments)."""

    def __init__(self):
        self.list = []


def run_effects(effects):
    """What happens when compiled code runs; inside of a trace it is that trace's to do."""
    if state.effects:
        state.effects[-1].list.extend(effects)
        return
    for kind, what, args in effects:
        if kind == 'print':
            _shapecheck.traced_print(what)
        elif kind == 'lost':
            _shapecheck.traced_info('printed', None)
        else:
            what(*tree_util.tree_map(_plain, args))


def _plain(x):
    return blank(x._a) if isinstance(x, Array) else x


def begin(staged=True):
    state.last += 1
    n = state.last
    state.traces.append(n)
    if staged:
        state.staged.append(n)
    return n


def end(n):
    state.traces.remove(n)
    if n in state.staged:
        state.staged.remove(n)


def tracer(x, n):
    """x as an argument of trace n."""
    return Array(blank(x._a), x._d, x._w, n)


def leaf(x, where):
    """A leaf of the arguments as an array."""
    if _shapecheck.is_unknown(x):
        return x
    if isinstance(x, (Array, np.ndarray, np.generic, bool, int, float, complex)):
        return asarray(x, None, None if isinstance(x, Array) or not isinstance(x, (int, float, complex)) or isinstance(x, np.generic) else True)
    if isinstance(x, ShapeDtypeStruct):
        return Array(np.empty(x.shape, _core.carrier(x.dtype.name)), x.dtype.name, x.weak_type)
    if hasattr(x, '__jax_array__'):
        return x.__jax_array__()
    _shapecheck.refuse('TypeError', 'SC532', 'Error interpreting argument to ' + where + " as an abstract array. The problematic value is of type " + str(type(x)) + '.')


def outputs(x):
    """The result of a trace: its leaves become arrays."""
    def one(v):
        if _shapecheck.is_unknown(v) or isinstance(v, Array):
            return v
        if isinstance(v, (np.ndarray, np.generic, bool, int, float, complex)):
            return asarray(v)
        if hasattr(v, '__shapecheck_array__'):
            return v
        raise TypeError('function was traced and returned a value of type ' + str(type(v)) + ', which is not a valid JAX type')
    return tree_util.tree_map(one, x)


def fresh(x):
    """What a call of a known trace returns."""
    def one(v):
        return Array(blank(v._a), v._d, v._w) if isinstance(v, Array) else v
    return tree_util.tree_map(one, x)


def text(v):
    """A value in the list of arguments of a report."""
    if _shapecheck.is_unknown(v):
        return '?'
    if isinstance(v, Array):
        return _core.short(v)
    if isinstance(v, (np.ndarray, np.generic)):
        return 'np:' + _core._SHORT.get(v.dtype.name, v.dtype.name) + '[' + ','.join([str(n) for n in v.shape]) + ']'
    if v is None or isinstance(v, (bool, int, float, complex, str)):
        return repr(v) if _shapecheck.certain(v) else '?'
    if isinstance(v, tuple):
        return '(' + ', '.join([text(x) for x in v]) + ')'
    if isinstance(v, list):
        return '[' + ', '.join([text(x) for x in v]) + ']'
    if isinstance(v, dict):
        return '{' + ', '.join([repr(k) + ': ' + text(x) for k, x in v.items()]) + '}'
    return getattr(v, '__name__', type(v).__name__)


def outline(v):
    """What of an argument the report of differences compares: see _traces.py."""
    if v is None:
        return ('py', 'None', None)
    if isinstance(v, (list, tuple)):
        return ('seq', type(v), [outline(x) for x in v])
    if isinstance(v, dict):
        keys = sorted(v)
        return ('map', tuple(keys), [outline(v[k]) for k in keys])
    n = tree_util.registered(v)
    if n is not None:
        out = []
        return ('py', type(v).__name__, (tree_util.flatten(v, out), [_leaf_key(x) for x in out]))
    try:
        x = _looked_at(v, '')
    except TypeError:
        return ('py', type(v).__name__, v)
    return ('leaf', x._d, x.shape, 'weak type', x._w)


def _literal(o):
    """The outline of a static number, text or flag as Python writes it; None: it is something else."""
    v = o[2][1] if o[1] == 'static' else o
    return repr(v) if v is None or isinstance(v, (int, float, str, bool)) else None


def _looked_at(x, where):
    """A leaf of which the dtype and sizes are asked for, which a deleted array still tells."""
    return x if isinstance(x, Array) and x._t == -1 else leaf(x, where)


def _leaf_key(x):
    x = _looked_at(x, '')
    return (x._d, x.shape, x._w)


class Wrapped:
    """A function under jax.jit."""

    def __init__(self, fun, static_argnums, static_argnames, donate_argnums, donate_argnames):
        functools.update_wrapper(self, fun)
        self._fun = fun
        self.__wrapped__ = fun
        u = fun
        while isinstance(u, functools.partial) or hasattr(u, '__wrapped__'):
            u = u.func if isinstance(u, functools.partial) else u.__wrapped__
        self._name = getattr(u, '__name__', type(u).__name__)
        try:
            ps = list(inspect.signature(fun).parameters.values())
        except (TypeError, ValueError):
            ps = []
        self._positional = [p.name for p in ps if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self._rest = [p.name for p in ps if p.kind == p.VAR_POSITIONAL]
        self._nums, self._names = self._marked(static_argnums, static_argnames)
        self._donated, self._donated_names = self._marked(donate_argnums, donate_argnames)
        self._key = (self._nums, self._names)
        self._born = _shapecheck.calls_made()

    def _marked(self, nums, names):
        n = len(self._positional)
        given = nums is not None, names is not None
        nums = () if nums is None else (nums,) if isinstance(nums, int) else tuple(nums)
        names = () if names is None else (names,) if isinstance(names, str) else tuple(names)
        nums = tuple([i + n if i < 0 else i for i in nums])
        if given[0] and not given[1]:
            names = tuple([self._positional[i] for i in nums if i < n])
        elif given[1] and not given[0]:
            nums = tuple([self._positional.index(k) for k in names if k in self._positional])
        return nums, names

    def __get__(self, obj, cls=None):
        return self if obj is None else functools.partial(self, obj)

    def __call__(self, *args, **kw):
        texts = [text(a) for a in args] + [k + '=' + text(v) for k, v in kw.items()]
        return _shapecheck.traced_call('jax', '', self._name, texts, lambda: self._call(args, kw))

    def _call(self, args, kw):
        _shapecheck.traced_info('born', self._born)
        if state.disabled:
            _shapecheck.traced_info('traces', 1)
            if _cache_of(self._fun).seen:
                _shapecheck.traced_info('changed', [])
            return self._fun(*args, **kw)
        r = self._traced(args, kw, True)
        if not _shapecheck.is_unknown(r):
            _shapecheck.traced_info('result', text(r))
        if self._donated or self._donated_names:
            for i, a in enumerate(args):
                if i in self._donated:
                    _donate(a)
            for k, a in kw.items():
                if k in self._donated_names:
                    _donate(a)
        return r

    def _traced(self, args, kw, runs):
        cache = _cache_of(self._fun)
        _shapecheck.traced_info('traces', 0)
        if _shapecheck.is_unknown(args) or [1 for a in args if _shapecheck.is_unknown(a)] or [1 for a in kw.values() if _shapecheck.is_unknown(a)]:
            cache.unsure = True
            _shapecheck.traced_info('traces', None)
            _shapecheck.traced_info('printed', None)
            return _shapecheck.unknown('a call of a jitted function with arguments that are not known')
        static, leaves, forms, outlines = [], [], [], []
        for i, a in enumerate(args):
            name = self._positional[i] if i < len(self._positional) else 'args[' + str(i) + ']'
            self._argument(a, i in self._nums, name, str(i), static, leaves, forms, outlines)
        for k in sorted(kw):
            s = k in self._names or k in self._positional and self._positional.index(k) in self._nums
            self._argument(kw[k], s, k, k, static, leaves, forms, outlines)
        arrays = [_looked_at(x, self._name) for x in leaves]
        unsure = [1 for x in arrays if _shapecheck.is_unknown(x)]
        key = (self._key, tuple(static), tuple(forms), tuple([(x._d, x.shape, x._w) for x in arrays]) if not unsure else None, state.x64)
        described = (outlines, len(args), sorted(kw))
        sure = not unsure and _shapecheck.certain(key)
        if sure:
            for k, r, effects in cache.entries:
                if k == key:
                    if [1 for x in arrays if x._t == -1]:  # the runtime says it, which a known key comes to
                        _shapecheck.refuse('ValueError', 'SC532', 'INVALID_ARGUMENT: Buffer has been deleted or donated.')
                    for x in arrays:
                        _core.live(x)
                    cache.seen.append(described)
                    if runs:
                        run_effects(effects)
                    return fresh(r)
            for x in arrays:
                _core.live(x)
            if cache.unsure:
                _shapecheck.traced_info('traces', None)
                _shapecheck.traced_info('printed', None)
            else:
                _shapecheck.traced_info('traces', 1)
                if cache.seen:
                    _shapecheck.traced_info('changed', self._changed(cache.seen, described))
        else:
            cache.unsure = True
            _shapecheck.traced_info('traces', None)
            _shapecheck.traced_info('printed', None)
        surely = not _shapecheck.undecided()
        if runs and surely:
            cache.seen.append(described)
        n = begin()
        effects = _Effects()
        state.effects.append(effects)
        old = _shapecheck.graph_mode(False)
        tracing = _shapecheck.tracing(True)
        try:
            given = iter([x if _shapecheck.is_unknown(x) else tracer(x, n) for x in arrays])
            kinds = iter(forms)
            values = []
            for i, a in enumerate(args):
                form = next(kinds)
                values.append(a if form[1] is None else tree_util.build(form[1], given))
            named = {}
            for k in sorted(kw):
                form = next(kinds)
                named[k] = kw[k] if form[1] is None else tree_util.build(form[1], given)
            r = outputs(self._fun(*values, **{k: named[k] for k in kw}))
        finally:
            _shapecheck.graph_mode(old)
            _shapecheck.tracing(tracing)
            state.effects.pop()
            end(n)
        r = fresh(r)
        if sure and surely:
            cache.entries.append((key, r, effects.list))
        if runs:
            run_effects(effects.list)
        return fresh(r)

    def _argument(self, a, static, name, where, static_list, leaves, forms, outlines):
        if static:
            if isinstance(a, (list, dict, set, Array, np.ndarray)):
                _shapecheck.refuse('ValueError', 'SC532', 'Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type ' + str(type(a)))
            try:
                hash(a)
            except TypeError:
                _shapecheck.refuse('ValueError', 'SC532', 'Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type ' + str(type(a)))
            static_list.append((where, type(a), a))
            forms.append((where, None))
            outlines.append((name, 'static', (type(a), a)))
            return
        forms.append((where, tree_util.flatten(a, leaves)))
        outlines.append((name, 'traced', outline(a)))

    def _changed(self, seen, now):
        best = None
        for old in seen:
            d = self._against(old, now)
            if best is None or len(d) < len(best):
                best = d
        return best

    def _against(self, old, now):
        a = {o[0]: o for o in old[0]}
        b = {o[0]: o for o in now[0]}
        out = []
        for k in sorted(set(a) | set(b)):
            if k not in a or k not in b:
                out.append(k + ': passed or not')
            elif 'static' in (a[k][1], b[k][1]):
                if a[k][1:] != b[k][1:]:
                    out.append(_traces.told(k, 'static value', _literal(b[k]), _literal(a[k])))
            else:
                out += _traces.differences(a[k][2], b[k][2], k)
        if not out and (old[1] != now[1] or old[2] != now[2]):
            out.append('spelling')
        return out

    def lower(self, *args, **kw):
        return _Lowered(self, self._traced(args, kw, False))

    def trace(self, *args, **kw):
        return _Lowered(self, self._traced(args, kw, False))

    def eval_shape(self, *args, **kw):
        return shapes(self._traced(args, kw, False))

    def clear_cache(self):
        for i, (f, c) in enumerate(_functions):
            if f is self._fun:
                del _functions[i]
                return

    def _cache_size(self):
        return len(_cache_of(self._fun).entries)


def _donate(x):
    for v in tree_util.tree_leaves(x):
        if isinstance(v, Array) and not state.traces:
            v.delete()


class _Lowered:
    def __init__(self, f, r):
        self._f, self._r = f, r

    def compile(self, *args, **kw):
        return self

    def lower(self, *args, **kw):
        return self

    out_info = property(lambda self: shapes(self._r))

    def __call__(self, *args, **kw):
        return fresh(self._r)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('what compiled code of JAX tells')


class ShapeDtypeStruct:
    def __init__(self, shape, dtype, *, sharding=None, weak_type=False, **kw):
        self.shape, self.dtype, self.weak_type = tuple(shape), _core.DType(_core.canonical(_core.name_of(dtype))), weak_type

    ndim = property(lambda self: len(self.shape))

    def __eq__(self, other):
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype.name) == (other.shape, other.dtype.name)

    def __hash__(self):
        return hash((self.shape, self.dtype.name))

    def __repr__(self):
        return 'ShapeDtypeStruct(shape=' + str(self.shape) + ', dtype=' + self.dtype.name + ')'


def shapes(r):
    return tree_util.tree_map(lambda x: ShapeDtypeStruct(x.shape, x.dtype, weak_type=x._w) if isinstance(x, Array) else x, r)


def eval_shape(fun, *args, **kw):
    state.effects.append(_Effects())
    try:
        return shapes(abstractly(lambda *a: fun(*a, **kw), args))
    finally:
        state.effects.pop()


def abstractly(fun, args, staged=True):
    """Traces fun once on arrays like args and gives its result, as arrays."""
    n = begin(staged)
    try:
        def one(x):
            x = leaf(x, getattr(fun, '__name__', 'a function'))
            return x if _shapecheck.is_unknown(x) else tracer(x, n)
        r = fun(*[tree_util.tree_map(one, a) for a in args])
        r = outputs(r)
    finally:
        end(n)
    return fresh(r)


def jit(fun=None, *, static_argnums=None, static_argnames=None, donate_argnums=None, donate_argnames=None, **kw):
    if fun is None:
        return lambda f: jit(f, static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums, donate_argnames=donate_argnames)
    if _shapecheck.is_unknown(fun):
        return fun
    if not callable(fun):
        raise TypeError('Expected a callable value, got ' + str(fun))
    return Wrapped(fun, static_argnums, static_argnames, donate_argnums, donate_argnames)


def grad(fun, argnums=0, has_aux=False, **kw):
    f = value_and_grad(fun, argnums, has_aux)

    def g(*args, **kw):
        v, d = f(*args, **kw)
        return (d, v[1]) if has_aux else d
    return functools.wraps(fun)(g) if hasattr(fun, '__name__') else g


def value_and_grad(fun, argnums=0, has_aux=False, **kw):
    def g(*args, **kw):
        nums = (argnums,) if isinstance(argnums, int) else tuple(argnums)

        def of(x):
            x = leaf(x, getattr(fun, '__name__', 'a function'))
            if _shapecheck.is_unknown(x):
                return x
            if _core.rank_of(x._d) < 2:
                raise TypeError('grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got ' + x._d + '.')
            return Array(blank(x._a), x._d, x._w)
        d = [tree_util.tree_map(of, args[i]) for i in nums]
        args = list(args)
        for i in nums:
            args[i] = tree_util.tree_map(lambda x: x if _shapecheck.is_unknown(x) else leaf(x, ''), args[i])
        v = fun(*args, **kw)
        out = v
        if has_aux and not _shapecheck.is_unknown(v):
            out = v[0]
        if isinstance(out, Array):
            if out.ndim:
                raise TypeError('Gradient only defined for scalar-output functions. Output had shape: ' + str(out.shape) + '.')
            if _core.rank_of(out._d) < 2:
                raise TypeError('grad requires real- or complex-valued outputs (output dtype that is a sub-dtype of np.inexact), but got ' + out._d + '.')
        return v, (d[0] if isinstance(argnums, int) else tuple(d))
    return functools.wraps(fun)(g) if hasattr(fun, '__name__') else g


def vmap(fun, in_axes=0, out_axes=0, **kw):
    def g(*args, **kw):
        if [1 for a in args if _shapecheck.is_unknown(a)]:
            return _shapecheck.unknown('jax.vmap of values that are not known')
        axes = in_axes if isinstance(in_axes, (list, tuple)) else [in_axes] * len(args)
        n = begin(False)
        size = []

        def slice_(x, axis):
            x = leaf(x, getattr(fun, '__name__', 'a function'))
            if axis is None or _shapecheck.is_unknown(x):
                return x
            if x.ndim == 0:
                raise ValueError('vmap was requested to map its argument along axis ' + str(axis) + ', which implies that its rank should be at least 1, but is only 0')
            k = axis + x.ndim if axis < 0 else axis
            if size and size[0] != x.shape[k]:
                raise ValueError('vmap got inconsistent sizes for array axes to be mapped: ' + str(size[0]) + ' and ' + str(x.shape[k]))
            size.append(x.shape[k])
            return Array(np.empty(x.shape[:k] + x.shape[k + 1:], _core.carrier(x._d)), x._d, x._w, n)
        try:
            given = []
            for a, axis in zip(args, axes):
                if isinstance(axis, (dict, list, tuple)):
                    return _shapecheck.unknown('jax.vmap with trees of axes')
                given.append(a if axis is None else tree_util.tree_map(lambda x: slice_(x, axis), a))
            for k in kw:
                kw[k] = tree_util.tree_map(lambda x: slice_(x, 0), kw[k])
            r = outputs(fun(*given, **kw))
        finally:
            end(n)

        def stack(x):
            if not isinstance(x, Array) or not isinstance(out_axes, int):
                return x if not isinstance(x, Array) else _shapecheck.unknown('jax.vmap with several out_axes')
            k = out_axes + x.ndim + 1 if out_axes < 0 else out_axes
            return Array(np.empty(x.shape[:k] + (size[0],) + x.shape[k:], _core.carrier(x._d)), x._d, x._w)
        if not size:
            raise ValueError('vmap must have at least one non-None value in in_axes')
        return tree_util.tree_map(stack, r)
    return functools.wraps(fun)(g) if hasattr(fun, '__name__') else g


def checkpoint(fun=None, **kw):
    """jax.checkpoint: within a trace the body is traced once for a key, as that of a jitted function."""
    if fun is None:
        return lambda f: checkpoint(f, **kw)
    if _shapecheck.is_unknown(fun):
        return fun
    traced = jit(fun, static_argnums=kw.get('static_argnums'))

    def g(*args, **kw):
        return traced(*args, **kw) if state.traces else fun(*args, **kw)
    return functools.wraps(fun)(g) if hasattr(fun, '__name__') else g


def named_call(fun=None, **kw):
    return fun if fun is not None else lambda f: f


class _Custom:
    """jax.custom_jvp and custom_vjp: the function itself."""

    def __init__(self, fun, nondiff_argnums=(), **kw):
        functools.update_wrapper(self, fun)
        self._f = fun

    def __call__(self, *args, **kw):
        return self._f(*args, **kw)

    def defjvp(self, f, **kw):
        return f

    def defvjp(self, fwd, bwd, **kw):
        return None

    def defjvps(self, *fs):
        return None


def custom(fun=None, **kw):
    return _Custom(fun, **kw) if fun is not None else lambda f: _Custom(f, **kw)


class disable_jit:
    def __init__(self, disable=True):
        self.disable = disable

    def __enter__(self):
        self.old, state.disabled = state.disabled, self.disable

    def __exit__(self, *exc):
        state.disabled = self.old


def jacobian(fun, argnums=0, **kw):
    def g(*args, **kw):
        x = leaf(args[argnums], '') if isinstance(argnums, int) else None
        y = fun(*args, **kw)
        if isinstance(x, Array) and isinstance(y, Array):
            return Array(np.empty(y.shape + x.shape, _core.carrier(y._d)), y._d, False)
        return _shapecheck.unknown('a Jacobian')
    return g


def hessian(fun, argnums=0, **kw):
    def g(*args, **kw):
        x = leaf(args[0], '')
        fun(*args, **kw)
        return Array(np.empty(x.shape + x.shape, _core.carrier(x._d)), x._d, False) if isinstance(x, Array) else _shapecheck.unknown('a Hessian')
    return g


def jvp(fun, primals, tangents, **kw):
    y = fun(*primals)
    return y, fresh(outputs(y))


def vjp(fun, *primals, has_aux=False, **kw):
    y = fun(*primals)
    like = [fresh(outputs(p)) for p in primals]
    back = lambda *ct: tuple(like)
    return (y[0], back, y[1]) if has_aux else (y, back)
