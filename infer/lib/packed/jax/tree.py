# jax.tree: the functions of jax.tree_util under short names.
from .tree_util import (tree_flatten as flatten, tree_unflatten as unflatten, tree_leaves as leaves, tree_structure as structure, tree_map as map,
                        tree_reduce as reduce, tree_all as all, tree_transpose as transpose, tree_map_with_path as map_with_path,
                        tree_flatten_with_path as flatten_with_path)
