# This file is torch.utils._pytree.


def register_pytree_node(cls, flatten_fn, unflatten_fn, **kwargs):
    pass


_register_pytree_node = register_pytree_node


class Context:
    pass


class TreeSpec:
    pass


def tree_map(fn, tree, *rests):
    if isinstance(tree, dict):
        return type(tree)([(k, tree_map(fn, v, *[r[k] for r in rests])) for k, v in tree.items()])
    if isinstance(tree, tuple) and hasattr(tree, '_fields'):
        return type(tree)(*[tree_map(fn, v, *[r[i] for r in rests]) for i, v in enumerate(tree)])
    if isinstance(tree, (list, tuple)):
        return type(tree)([tree_map(fn, v, *[r[i] for r in rests]) for i, v in enumerate(tree)])
    return fn(tree, *rests)


def tree_map_only(kind, fn, tree):
    return tree_map(lambda x: fn(x) if isinstance(x, kind) else x, tree)


def tree_map_(fn, tree, *rests):
    tree_map(fn, tree, *rests)
    return tree


def tree_all(pred, tree):
    return all([pred(x) for x in tree_leaves(tree)])


def tree_any(pred, tree):
    return any([pred(x) for x in tree_leaves(tree)])


def tree_leaves(tree):
    leaves = []
    tree_map(leaves.append, tree)
    return leaves


def tree_flatten(tree):
    return tree_leaves(tree), tree


def tree_unflatten(leaves, spec):
    it = iter(leaves)
    return tree_map(lambda _: next(it), spec)
