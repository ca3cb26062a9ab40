"""A class registered as a pytree node."""
import jax
import jax.numpy as jnp

class Box:
    def __init__(self, v, name):
        self.v, self.name = v, name

jax.tree_util.register_pytree_node(Box, lambda b: ((b.v,), b.name), lambda aux, c: Box(c[0], aux))

@jax.jit
def f(b):
    print("trace", b.name)
    return b.v * 2

f(Box(jnp.ones(2), "a"))
f(Box(jnp.zeros(2), "a"))
f(Box(jnp.ones(2), "b"))
