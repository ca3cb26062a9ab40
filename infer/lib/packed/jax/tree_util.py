# Pytrees: nested lists, tuples, dicts and registered classes with arrays at the leaves.
import _shapecheck

_nodes = []  # (class, flatten, unflatten)


class PyTreeDef:
    """The structure of a tree: nested tuples (kind, data, children); a leaf is '*'."""

    def __init__(self, form):
        self.form = form

    def __eq__(self, other):
        return isinstance(other, PyTreeDef) and self.form == other.form

    def __hash__(self):
        return hash(str(self.form))

    num_leaves = property(lambda self: _leaves(self.form))

    def unflatten(self, leaves):
        return tree_unflatten(self, leaves)

    def __repr__(self):
        return 'PyTreeDef(' + str(self.form) + ')'


def _leaves(form):
    if form == '*':
        return 1
    return sum([_leaves(c) for c in form[2]])


def registered(x):
    for n in _nodes:
        if type(x) is n[0]:
            return n
    return None


def flatten(x, out, is_leaf=None):
    """Adds the leaves of x to out and gives its form; names of branches are not kept."""
    if is_leaf is not None and is_leaf(x):
        out.append(x)
        return '*'
    if x is None:
        return ('None', None, ())
    if _shapecheck.is_unknown(x):
        out.append(x)
        return '*'
    t = type(x)
    if t is list or t is tuple:
        return (t, None, tuple([flatten(v, out, is_leaf) for v in x]))
    if isinstance(x, tuple) and hasattr(x, '_fields'):
        return (t, None, tuple([flatten(v, out, is_leaf) for v in x]))
    if isinstance(x, dict) and registered(x) is None:
        keys = sorted(x)
        return (dict, tuple(keys), tuple([flatten(x[k], out, is_leaf) for k in keys]))
    n = registered(x)
    if n is not None:
        children, aux = n[1](x)
        return (t, aux, tuple([flatten(v, out, is_leaf) for v in children]))
    out.append(x)
    return '*'


def build(form, leaves):
    """The tree of a form, of which the leaves come from an iterator."""
    if form == '*':
        return next(leaves)
    kind, data, children = form
    if kind == 'None':
        return None
    parts = [build(c, leaves) for c in children]
    if kind is list:
        return parts
    if kind is tuple:
        return tuple(parts)
    if kind is dict:
        return dict(zip(data, parts))
    for n in _nodes:
        if kind is n[0]:
            return n[2](data, parts)
    return kind(*parts)


def tree_flatten(tree, is_leaf=None):
    out = []
    form = flatten(tree, out, is_leaf)
    return out, PyTreeDef(form)


def tree_unflatten(treedef, leaves):
    return build(treedef.form, iter(list(leaves)))


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f, tree, *rest, is_leaf=None):
    leaves, d = tree_flatten(tree, is_leaf)
    others = []
    for r in rest:
        o, e = tree_flatten(r, is_leaf)
        if len(o) != len(leaves):
            raise ValueError('the trees have different structures')
        others.append(o)
    return tree_unflatten(d, [f(*xs) for xs in zip(leaves, *others)])


def tree_reduce(function, tree, *initializer, is_leaf=None):
    leaves = tree_leaves(tree, is_leaf)
    if initializer:
        r = initializer[0]
    else:
        r, leaves = leaves[0], leaves[1:]
    for x in leaves:
        r = function(r, x)
    return r


def tree_all(tree):
    return all(tree_leaves(tree))


def tree_transpose(outer, inner, tree):
    return _shapecheck.unknown('jax.tree.transpose')


def tree_flatten_with_path(tree, is_leaf=None):
    return _shapecheck.unknown('paths in trees of JAX')


def tree_map_with_path(f, tree, *rest, is_leaf=None):
    return tree_map(lambda *xs: f(_shapecheck.unknown('paths in trees of JAX'), *xs), tree, *rest, is_leaf=is_leaf)


def register_pytree_node(nodetype, flatten_func, unflatten_func, *args):
    _nodes.append((nodetype, flatten_func, unflatten_func))


def register_pytree_node_class(cls):
    _nodes.append((cls, lambda x: x.tree_flatten(), lambda aux, children: cls.tree_unflatten(aux, children)))
    return cls


def register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=None):
    def flat(x):
        children, aux = flatten_with_keys(x)
        return [c[1] for c in children], aux
    _nodes.append((nodetype, flatten_func or flat, unflatten_func))


def register_static(cls):
    _nodes.append((cls, lambda x: ((), x), lambda aux, children: aux))
    return cls


def register_dataclass(nodetype=None, data_fields=None, meta_fields=None, drop_fields=()):
    if nodetype is None:
        return lambda c: register_dataclass(c, data_fields, meta_fields, drop_fields)
    if data_fields is None:
        import dataclasses
        fields = dataclasses.fields(nodetype)
        data_fields = [f.name for f in fields if not f.metadata.get('static', False)]
        meta_fields = [f.name for f in fields if f.metadata.get('static', False)]
    data, meta = tuple(data_fields), tuple(meta_fields)

    def flat(x):
        return [getattr(x, n) for n in data], tuple([getattr(x, n) for n in meta])

    def make(aux, children):
        x = object.__new__(nodetype)
        for n, v in zip(data + meta, tuple(children) + tuple(aux)):
            object.__setattr__(x, n, v)
        return x
    _nodes.append((nodetype, flat, make))
    return nodetype


class Partial:
    def __init__(self, func, *args, **kw):
        self.func, self.args, self.keywords = func, args, kw

    def __call__(self, *args, **kw):
        return self.func(*self.args, *args, **{**self.keywords, **kw})


register_pytree_node(Partial, lambda p: ((p.args, p.keywords), p.func), lambda f, c: Partial(f, *c[0], **c[1]))
