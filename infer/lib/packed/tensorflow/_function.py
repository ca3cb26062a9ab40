# tf.function: which call traces. A function has a list of traces; the key of a call is the tree
# of its arguments bound to the signature, of each tensor its dtype and sizes, and of what else
# there is its value. A call takes the trace with exactly its key, else the most specific one
# that is more general, else it traces.
import functools
import inspect
import numpy as np
import _shapecheck
import _traces
from . import _core, errors
from ._core import DType, Tensor, TensorShape, TensorSpec, Variable, _Operand, any_rank, blank, carrier, convert, current, dims_of, live, short, short_type, state

_LOST = 'a call of a traced function with arguments that are not known'


def text(v):
    """A value in the list of arguments of a report."""
    if _shapecheck.is_unknown(v):
        return '?'
    if isinstance(v, _Operand):
        return short(v)
    if isinstance(v, TensorSpec):
        return short_type(v.dtype.name, v.shape._dims)
    if v is None or isinstance(v, (bool, int, float, str)) and not isinstance(v, np.generic):
        return repr(v) if _shapecheck.certain(v) else '?'
    if isinstance(v, tuple):
        return '(' + ', '.join([text(x) for x in v]) + ')'
    if isinstance(v, list):
        return '[' + ', '.join([text(x) for x in v]) + ']'
    if isinstance(v, dict):
        return '{' + ', '.join([repr(k) + ': ' + text(x) for k, x in v.items()]) + '}'
    if isinstance(v, (np.ndarray, np.generic)):
        return 'ndarray:' + str(v.dtype.name) + '[' + ', '.join([str(n) for n in v.shape]) + ']'
    if hasattr(v, '__shapecheck_spec__') and v.__shapecheck_spec__()[0] in ('ragged', 'sparse'):
        return v._kind + ':' + short_type(v._d, v._dims)
    return getattr(v, '_kind', type(v).__name__)


def outline(v):
    """What of an argument the report of differences compares: see _traces.py."""
    if _shapecheck.is_unknown(v):
        return ('py', 'unknown', None)
    if isinstance(v, Variable):
        return ('leaf', v._d, dims_of(v), 'variable', _Same(v))
    if isinstance(v, Tensor):
        return ('leaf', v._d, dims_of(v), 'variable', None)
    if isinstance(v, TensorSpec):
        return ('leaf', v.dtype.name, v.shape._dims, 'variable', None)
    if hasattr(v, '__shapecheck_spec__') and v.__shapecheck_spec__()[0] in ('ragged', 'sparse'):
        return ('leaf', v._d, v._dims, 'variable', None)
    if isinstance(v, (list, tuple)):
        return ('seq', type(v).__name__, [outline(x) for x in v])
    if isinstance(v, dict):
        keys = sorted([str(k) for k in v])
        named = {str(k): v[k] for k in v}
        return ('map', tuple(keys), [outline(named[k]) for k in keys])
    if v is None or isinstance(v, (int, float, str, bool)):  # np.float64 is a float
        return ('py', type(v).__name__, repr(v))
    if isinstance(v, (np.ndarray, np.generic)):
        return ('leaf', v.dtype.name, tuple(v.shape), 'variable', None)
    return ('py', getattr(v, '_kind', type(v).__name__), _Same(v))


class _Same:
    """A value by its identity."""

    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return isinstance(other, _Same) and self.v is other.v

    def __hash__(self):
        return id(self.v)


class _Object:
    """An object of which a trace has a weak reference: one that is gone equals none."""

    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        if not isinstance(other, _Object):
            return False
        if self.v is other.v:
            return True
        if isinstance(self.v, DType) or isinstance(other.v, DType):
            return isinstance(self.v, DType) and isinstance(other.v, DType) and self.v.name == other.v.name
        eq = self.v == other.v
        if _shapecheck.is_unknown(eq) or not _shapecheck.certain((eq,)) or not eq:
            return eq
        return _shapecheck.alive(self.v)

    def __hash__(self):
        return hash(self.v)


def _leaf(v, variables):
    """The part of a key that stands for a value; variables are those met so far."""
    if isinstance(v, Variable):
        for i, w in enumerate(variables):
            if w is v:
                break
        else:
            i = len(variables)
            variables.append(v)
        return ('variable', v._d if not v._lost else _shapecheck.unknown(_LOST), dims_of(v), i, v.trainable)
    if isinstance(v, Tensor):
        return ('tensor', v._d, dims_of(v))
    if isinstance(v, TensorSpec):
        return ('tensor', v.dtype.name, v.shape._dims)
    if _shapecheck.is_unknown(v):
        return ('value', v)
    if isinstance(v, list):
        return ('list', tuple([_leaf(x, variables) for x in v]))
    if isinstance(v, tuple):
        kind = 'tuple' if not hasattr(v, '_fields') else type(v).__name__ + str(v._fields)
        return (kind, tuple([_leaf(x, variables) for x in v]))
    if isinstance(v, dict):
        keys = list(v)
        try:
            keys = sorted(keys)
        except TypeError:
            pass
        return ('dict', tuple(keys), tuple([_leaf(v[k], variables) for k in keys]))
    if hasattr(v, '__shapecheck_spec__'):
        return v.__shapecheck_spec__()
    if isinstance(v, (np.ndarray, np.generic)):
        t = convert(v)
        return ('value', v) if t is None else ('tensor', t._d, dims_of(t))
    if isinstance(v, float) and v != v:
        return ('nan',)
    if v is None or isinstance(v, (bool, int, float, str, bytes, complex)):
        return ('value', v)
    if isinstance(v, range):
        return ('range', v.start, v.stop, v.step)
    w = v
    while hasattr(w, '__wrapped__'):
        w = w.__wrapped__
    if isinstance(w, Function):
        return ('object', _Same(w))
    try:
        hash(w)
    except TypeError:
        _shapecheck.refuse('TypeError', 'SC532', 'Could not generate a generic TraceType for ' + type(w).__name__ + '. Please verify that it is immutable/hashable.')
    return ('object', _Object(w))


def _is_more_general(a, b):
    """Whether a trace of the key a serves a call of the key b."""
    if a == b:
        return True
    if a[0] != b[0]:
        return False
    if a[0] in ('tensor', 'variable', 'ragged', 'sparse'):
        if a[1] != b[1] or a[3:] != b[3:]:
            return False
        if a[2] is None:
            return True
        if b[2] is None or len(a[2]) != len(b[2]):
            return False
        return not [1 for m, n in zip(a[2], b[2]) if m is not None and m != n]
    if a[0] in ('value', 'object', 'nan', 'range'):
        return False
    if len(a) == 3 and a[1] != b[1] or len(a[-1]) != len(b[-1]):
        return False
    return not [1 for x, y in zip(a[-1], b[-1]) if not _is_more_general(x, y)]


def _common(a, b):
    """The most specific key that serves calls of both; None: there is none."""
    if a == b:
        return a
    if a[0] != b[0]:
        return None
    if a[0] in ('tensor', 'variable', 'ragged', 'sparse'):
        if a[1] != b[1] or a[3:] != b[3:]:
            return None
        if a[2] is None or b[2] is None or len(a[2]) != len(b[2]):
            return (a[0], a[1], None) + a[3:]
        return (a[0], a[1], tuple([m if m == n else None for m, n in zip(a[2], b[2])])) + a[3:]
    if a[0] in ('value', 'object', 'nan', 'range') or len(a) == 3 and a[1] != b[1] or len(a[-1]) != len(b[-1]):
        return None
    parts = [_common(x, y) for x, y in zip(a[-1], b[-1])]
    if [1 for p in parts if p is None]:
        return None
    return a[:-1] + (tuple(parts),)


def _placeholder(key, n, open_sizes, name):
    """A tensor that stands for an argument of the trace n; the symbols for the sizes that it
    leaves open go to open_sizes."""
    if key[2] is None:
        open_sizes.append(None)
        x = any_rank(key[1], n)
    else:
        dims = []
        for d in key[2]:
            if d is None:
                d = _shapecheck.new_size(0)
                open_sizes.append(d)
            dims.append(d)
        x = Tensor(np.empty(tuple(dims), carrier(key[1])), key[1], n)
    x._name = name
    return x


def _build(v, key, n, open_sizes, given, name):
    """The argument v as the body sees it. given gets the sizes of v for those that are open."""
    if key[0] == 'tensor':
        dims = v.shape._dims if isinstance(v, TensorSpec) else dims_of(v) if isinstance(v, _Operand) else tuple(convert(v)._a.shape)
        x = _placeholder(key, n, open_sizes, name)
        if key[2] is None:
            given.append(None)
        elif dims is not None:
            for want, have in zip(key[2], dims):
                if want is None:
                    given.append(have)
        else:
            for want in key[2]:
                if want is None:
                    given.append(None)
        return x
    if key[0] == 'range':
        return list(v)
    if key[0] in ('variable', 'value', 'object', 'nan', 'dataset', 'ragged', 'sparse'):
        return v
    if isinstance(v, dict):
        made = {k: _build(v[k], p, n, open_sizes, given, None) for k, p in zip(key[1], key[2])}
        return {k: made[k] for k in v}
    parts = [_build(x, p, n, open_sizes, given, None) for x, p in zip(v, key[-1])]
    if isinstance(v, list):
        return parts
    return type(v)(*parts) if hasattr(v, '_fields') else tuple(parts)


def structure(x, f):
    """x with f applied to what its lists, tuples and dicts hold."""
    if isinstance(x, list):
        return [structure(v, f) for v in x]
    if isinstance(x, tuple):
        parts = [structure(v, f) for v in x]
        return type(x)(*parts) if hasattr(x, '_fields') else tuple(parts)
    if isinstance(x, dict):
        return {k: structure(v, f) for k, v in x.items()}
    return f(x)


def flat(x, out):
    """Adds what lists, tuples and dicts hold to out."""
    structure(x, out.append)
    return out


def _output(v):
    """A result of a body as part of the graph."""
    if isinstance(v, Tensor) and v._t == -2:
        live(v)
    if v is None or _shapecheck.is_unknown(v) or isinstance(v, Tensor):
        return v
    if isinstance(v, (Variable, np.ndarray, np.generic, bool, int, float, complex, str, bytes, TensorShape)):
        x = convert(v)
        return _shapecheck.unknown('a result of a traced function') if x is None else Tensor(x._a, x._d)
    if isinstance(v, TensorSpec):
        return v
    if hasattr(v, '__shapecheck_opaque__') or callable(v) and not isinstance(v, type):
        return v
    raise TypeError('To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None values; got ' + str(type(v)))


class _Trace:
    """A trace: its key, the result as the graph has it, what happens at each call, and the
    symbols for the sizes that it leaves open."""

    def __init__(self, key, result, effects, open_sizes):
        self.key, self.result, self.effects, self.open_sizes = key, result, effects, open_sizes

    def run(self, given):
        """What a call returns whose open sizes are given."""
        old, new, lost = [], [], False
        for s, g in zip(self.open_sizes, given):
            if s is None:
                lost = True
            else:
                old.append(s)
                new.append(_shapecheck.new_size(0) if g is None else g)
        _run_effects(self.effects)

        def one(x):
            if not isinstance(x, Tensor):
                return x
            if _shapecheck.is_unknown(x._a):
                y = Tensor(x._a, x._d)
                if getattr(x, '_any', False) and current():
                    y._any = True
                return y
            if lost and [1 for n in x._a.shape if _shapecheck.is_symbolic(n)]:
                return Tensor(_shapecheck.unknown('sizes that a trace leaves open'), x._d)
            return Tensor(np.empty(_shapecheck.with_sizes(tuple(x._a.shape), old, new), carrier(x._d)), x._d)
        return structure(self.result, one)


def _run_effects(effects):
    """What happens when a graph runs; inside of a trace it is that trace's to do."""
    if current():
        if state.effects:
            state.effects[-1].extend(effects)
        return
    for kind, what, args in effects:
        if kind == 'assign':
            what._a = blank(what._a)
        elif kind == 'print':
            _shapecheck.traced_print(what)
        elif kind == 'lost':
            _shapecheck.traced_info('printed', None)
        else:
            what(*[Tensor(x._a, x._d, 0) if isinstance(x, Tensor) else x for x in args])


def effect(kind, what, args=None):
    """Notes what happens at each call of the open trace; outside of one it happens now."""
    if current():
        if _shapecheck.undecided() and kind != 'assign':
            kind, what, args = 'lost', None, None
        state.effects[-1].append((kind, what, args))
    else:
        _run_effects([(kind, what, args)])


class eagerly:
    """Within a trace: what runs as Python does."""

    def __enter__(self):
        state.graphs.append(0)
        self.mode = _shapecheck.graph_mode(False)
        self.tracing = _shapecheck.tracing(False)

    def __exit__(self, *exc):
        state.graphs.pop()
        _shapecheck.graph_mode(self.mode)
        _shapecheck.tracing(self.tracing)


class _Calls:
    """The tracing of recent calls of functions of one code, for the warning."""

    def __init__(self, fun):
        self.fun, self.tracings, self.calls, self.warnings, self.unsure = fun, [], 0, 0, False

    def traced(self):
        self.calls += 1
        self.tracings.append(1)
        while self.tracings and self.calls - self.tracings[0] > 10:
            self.calls -= self.tracings.pop(0)
        if self.warnings < 2 and len(self.tracings) >= 5 and not self.unsure:
            self.warnings += 1
            _shapecheck.traced_info('warning', True)

    def reused(self):
        if not self.tracings:
            self.tracings = [0]
        self.tracings[-1] += 1
        self.calls += 1


_calls = []
_bodies = []   # the names of the functions whose bodies the open call of the top level ran
_depth = [0]


def _calls_of(fun):
    for c in _calls:
        if _shapecheck.same_code(c.fun, fun):
            return c
    _calls.append(_Calls(fun))
    return _calls[-1]


class Function:
    def __init__(self, fun, signature, autograph, reduce, jit_compile, instance=None):
        self.python_function = fun if instance is None else functools.partial(fun, instance)
        self._fun, self._instance = fun, instance
        self.__name__ = getattr(fun, '__name__', 'function')
        self.__doc__ = getattr(fun, '__doc__', None)
        self.__wrapped__ = fun
        self.input_signature = signature
        self._options = (autograph, reduce, jit_compile)
        self._first = []        # the traces of the function that may make variables
        self._later = []        # those of the one that may not
        self._started = False   # it was traced once
        self._made = []         # the variables that its first trace made
        self._unsure = False    # a call whose key is not known may have traced
        self._seen = []         # outlines of the calls
        self._bound = []        # (instance, Function)
        self._signature = None
        self._born = _shapecheck.calls_made() if instance is None else -1

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        for o, f in self._bound:
            if o is obj:
                return f
        f = Function(self._fun, self.input_signature, *self._options, instance=obj)
        self._bound.append((obj, f))
        return f

    def __call__(self, *args, **kw):
        return self._recorded('', args, kw)

    def get_concrete_function(self, *args, **kw):
        return self._recorded('get_concrete_function', args, kw)

    def _recorded(self, kind, args, kw):
        texts = [text(a) for a in args] + [k + '=' + text(v) for k, v in kw.items()]
        return _shapecheck.traced_call('tf', kind, self.__name__, texts, lambda: self._top(kind, args, kw))

    def _top(self, kind, args, kw):
        if _depth[0]:
            return self._enter(kind, args, kw)
        _depth[0] += 1
        del _bodies[:]
        now = self._outline(args, kw)
        self._asked = False
        _shapecheck.traced_info('traces', 0)
        _shapecheck.traced_info('born', self._born)
        try:
            r = self._enter(kind, args, kw)
            if not kind and not _shapecheck.is_unknown(r):
                _shapecheck.traced_info('result', text(r))
            return r
        finally:
            _depth[0] -= 1
            if not self._asked:
                n = _bodies.count(self.__name__)
                _shapecheck.traced_info('traces', n)
                if _bodies and self._seen:
                    d = _traces.nearest(self._seen, now)
                    _shapecheck.traced_info('changed', [x for x in d if not x.endswith(': variable')] or d)
            self._seen.append(now)

    def _outline(self, args, kw):
        try:
            named = self._bind(args, kw)
        except TypeError:
            named = {'args': list(args), 'kw': kw}
        return {k: outline(v) for k, v in named.items()}

    def _bind(self, args, kw):
        if self._signature is None:
            self._signature = inspect.signature(self._fun)
        b = self._signature.bind(*(args if self._instance is None else (self._instance,) + tuple(args)), **kw)
        b.apply_defaults()
        named = dict(b.arguments)
        if self._instance is not None:
            named.pop(next(iter(named)))
        return named

    def _enter(self, kind, args, kw):
        if state.eagerly and not kind:
            return self.python_function(*args, **kw)
        before = len(_bodies)
        r = self._traced(kind, args, kw)
        if not current() and not kind:
            c = _calls_of(self._fun)
            if self._unsure:
                c.unsure = True
            if len(_bodies) > before:
                c.traced()
            else:
                c.reused()
        return r

    def _lost(self):
        self._unsure = self._asked = True
        _shapecheck.traced_info('traces', None)
        _shapecheck.traced_info('printed', None)

    def _traced(self, kind, args, kw):
        if [1 for a in args if _shapecheck.is_unknown(a)] or [1 for a in kw.values() if _shapecheck.is_unknown(a)] or _shapecheck.is_unknown(args) or _shapecheck.is_unknown(kw):
            self._lost()
            return _shapecheck.unknown(_LOST)
        try:
            if kind and self.input_signature is not None and not args and not kw:
                args = tuple(self.input_signature)
            named = self._bind(args, kw)
        except TypeError as e:
            _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed due to `' + str(e) + '`.')
        if self.input_signature is not None:
            named = self._cast(named, len(args))
        variables = []
        key = ('dict', tuple(named), tuple([_leaf(v, variables) for v in named.values()]))
        wanted = self._signed(key)
        if self._made:
            return self._dispatch(kind, self._later, named, key, wanted, _refuse)
        if self._started:
            made = []
            r = self._dispatch(kind, self._first, named, key, wanted, made.append)
            if made:
                _shapecheck.refuse('ValueError', 'SC533', 'Creating variables on a non-first call to a function decorated with tf.function.')
            return r
        self._started = True
        if state.foreign:  # whether it makes variables, and so runs twice, is not known
            self._asked = True
            _shapecheck.traced_info('printed', None)
            _shapecheck.traced_info('traces', None)
        r = self._dispatch(kind, self._first, named, key, wanted, self._made.append)
        if self._made:
            _shapecheck.traced_info('made_variables', True)
            return self._dispatch(kind, self._later, named, key, wanted, _refuse)
        return r

    def _signed(self, key):
        """The key of the trace that input_signature asks for; None: it asks for none."""
        if self.input_signature is None:
            return None
        n = len(self.input_signature)
        parts = [_leaf(s, []) for s in self.input_signature]
        return ('dict', key[1], tuple(parts + list(key[2][n:])))

    def _cast(self, named, given):
        """The arguments as tensors of input_signature."""
        if given > len(self.input_signature) and len(named) <= len(self.input_signature):
            _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed: it takes ' + str(len(self.input_signature)) + ' positional arguments but ' + str(given) + ' were given.')
        out = dict(named)
        for (k, v), s in zip(named.items(), self.input_signature):
            out[k] = _as_spec(v, s)
        return out

    def _dispatch(self, kind, traces, named, key, wanted, made):
        lookup = wanted or key
        sure = _shapecheck.certain(lookup)
        if sure:
            found = None
            for t in traces:
                eq = t.key == lookup
                if not _shapecheck.certain(eq):
                    sure = False
                    break
                if eq:
                    found = t
                    break
            if sure and found is None:
                for t in traces:
                    if _is_more_general(t.key, lookup) and (found is None or _is_more_general(found.key, t.key)):
                        found = t
            if sure and found is not None:
                return self._finish(kind, found, named)
        if not sure or self._unsure:
            self._lost()
        target = lookup
        if wanted is None and self._options[1] and sure:
            for t in traces:
                target = _common(target, t.key) or target
        t, r = self._trace(target, named, made, sure)
        if sure:
            traces.append(t)
        return self._finish(kind, t, named)

    def _finish(self, kind, t, named):
        if kind:
            return ConcreteFunction(self, t, named)
        given = []
        for v, k in zip(named.values(), t.key[2]):
            _build(v, k, 0, [], given, None)
        return t.run(given)

    def _trace(self, key, named, made, sure):
        state.last += 1
        n = state.last
        _bodies.append(self.__name__)
        state.graphs.append(n)
        state.open.add(n)
        state.effects.append([])
        state.made.append(made)
        if not sure:
            state.symbolic.add(n)
        mode = _shapecheck.graph_mode(bool(self._options[0]))
        tracing = _shapecheck.tracing(True)
        open_sizes = []
        try:
            values = {name: _build(v, k, n, open_sizes, [], name + ':0') for (name, v), k in zip(named.items(), key[2])}
            args, kw = self._spread(values)
            held = {name: _contents(v) for name, v in values.items()}
            r = self._fun(*args, **kw)
            _shapecheck.refused_return()
            changed = [name for name, v in values.items() if not _same_contents(held[name], v)]
            if changed:
                _shapecheck.refuse('ValueError', 'SC532', self.__name__ + '(' + ', '.join(values) + ') should not modify its Python input arguments. Modifying a copy is allowed. The following parameter(s) were modified: ' + ', '.join(changed))
            r = structure(r, _output)
        finally:
            effects = state.effects.pop()
            state.made.pop()
            state.graphs.pop()
            state.open.discard(n)
            _shapecheck.graph_mode(mode)
            _shapecheck.tracing(tracing)
        return _Trace(key, r, effects, open_sizes), r

    def _spread(self, values):
        """The arguments by position and by name."""
        args = [] if self._instance is None else [self._instance]
        kw = {}
        after = False
        for name, p in self._signature.parameters.items():
            if name not in values:
                continue
            if p.kind == p.VAR_POSITIONAL:
                args.extend(values[name])
                after = True
            elif p.kind == p.VAR_KEYWORD:
                kw.update(values[name])
            elif p.kind == p.KEYWORD_ONLY or name in getattr(self._fun, 'keywords', ()):
                kw[name] = values[name]
            else:
                args.append(values[name])
        return args, kw

    def experimental_get_tracing_count(self):
        return _shapecheck.unknown('how often a function was traced') if self._unsure else len(self._first) + len(self._later)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('tf.function(…).' + name)


def _contents(v):
    """What the lists and dicts of an argument hold."""
    if isinstance(v, list):
        return (v, [(x, _contents(x)) for x in v])
    if isinstance(v, dict):
        return (v, [(k, x, _contents(x)) for k, x in v.items()])
    return None


def _same_contents(held, v):
    if held is None:
        return True
    if isinstance(v, list):
        return len(held[1]) == len(v) and not [1 for (x, c), y in zip(held[1], v) if x is not y or not _same_contents(c, y)]
    return [k for k, x, c in held[1]] == list(v) and not [1 for k, x, c in held[1] if v[k] is not x or not _same_contents(c, x)]


def _refuse(variable):
    _shapecheck.refuse('ValueError', 'SC533', 'tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only created once or created outside tf.function.')


def _as_spec(v, spec):
    """v as a tensor that an element of input_signature allows."""
    if _shapecheck.is_unknown(v):
        return v
    if isinstance(spec, TensorSpec):
        if isinstance(v, TensorSpec):
            x = ('tensor', v.dtype.name, v.shape._dims)
        else:
            try:
                v = convert(v, spec.dtype.name if not isinstance(v, _Operand) else None)
            except (TypeError, ValueError) as e:
                _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed due to `' + str(e) + '`.')
            if v is None:
                return _shapecheck.unknown(_LOST)
            x = ('tensor', v._d, dims_of(v))
        s = ('tensor', spec.dtype.name, spec.shape._dims)
        if _shapecheck.certain(x) and not _is_more_general(s, x) and not _is_more_general(x, s):
            _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=' + str(TensorShape(x[2])) + ', dtype=tf.' + x[1] + ', name=None) to ' + repr(spec) + '`.')
        return v
    if isinstance(spec, (list, tuple)):
        if not isinstance(v, (list, tuple)) or len(v) != len(spec):
            _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed: the structure of an argument is not that of input_signature.')
        parts = [_as_spec(x, s) for x, s in zip(v, spec)]
        return parts if isinstance(v, list) else tuple(parts)
    if isinstance(spec, dict):
        if not isinstance(v, dict) or sorted(v) != sorted(spec):
            _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed: the structure of an argument is not that of input_signature.')
        return {k: _as_spec(v[k], spec[k]) for k in v}
    return v


class ConcreteFunction:
    def __init__(self, function, trace, named):
        self._function, self._trace, self._named = function, trace, named

    structured_outputs = property(lambda self: self._trace.result)

    def __call__(self, *args, **kw):
        tensors = [a for a in args if isinstance(a, (_Operand, np.ndarray))] + [a for a in kw.values() if isinstance(a, (_Operand, np.ndarray))]
        given = []
        keys = [k for k in self._trace.key[2] if k[0] == 'tensor']
        if len(keys) == len(tensors) and len(keys) == len(args) + len(kw):
            for v, k in zip(tensors, keys):
                x = convert(v)
                if x is None or not _is_more_general(k, ('tensor', x._d, dims_of(x))) and _shapecheck.certain(dims_of(x)):
                    _shapecheck.refuse('TypeError', 'SC532', 'Binding inputs to tf.function failed: the arguments do not fit the signature of the concrete function.')
                _build(x, k, 0, [], given, None)
            return self._trace.run(given)
        return self._trace.run([None] * len(self._trace.open_sizes))

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('what a concrete function tells')


def function(func=None, input_signature=None, autograph=True, jit_compile=None, reduce_retracing=False, experimental_implements=None,
             experimental_autograph_options=None, experimental_attributes=None, experimental_relax_shapes=None, experimental_compile=None,
             experimental_follow_type_hints=None):
    if func is None:
        return lambda f: function(f, input_signature, autograph, jit_compile, reduce_retracing, experimental_relax_shapes=experimental_relax_shapes)
    if _shapecheck.is_unknown(func):
        return func
    return Function(func, input_signature, autograph, reduce_retracing or experimental_relax_shapes, jit_compile)
