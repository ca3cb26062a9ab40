"""A donated argument may not be used again."""
from functools import partial
import jax
import jax.numpy as jnp

@partial(jax.jit, donate_argnums=(0,))
def add(x, y):
    print("trace")
    return x + y

x = jnp.ones(4)
x = add(x, 1.0)
x = add(x, 2)
y = add(x, 3)
add(x, 3)
