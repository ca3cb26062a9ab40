"""A class registered as a pytree node by hand."""
import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, lo, hi, name):
        self.lo, self.hi, self.name = lo, hi, name
    def tree_flatten(self):
        return (self.lo, self.hi), self.name
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux)

@jax.jit
def width(b):
    print("width", b.name)
    return b.hi - b.lo

width(Box(jnp.zeros(2), jnp.ones(2), "a"))
width(Box(jnp.zeros(2), jnp.ones(2), "b"))
width(Box(jnp.zeros(2), jnp.ones(2), "a"))
width(Box(jnp.zeros(3), jnp.ones(3), "a"))
