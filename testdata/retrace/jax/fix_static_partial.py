"""A size that is a number: partial(jax.jit, …) has other options."""
from functools import partial
import jax
import jax.numpy as jnp

@partial(jax.jit, donate_argnums=0)
def f(x, n, scale):
    print("trace")
    return x.reshape(n, -1) * scale

f(jnp.ones(6), 2, 3)
f(jnp.ones(6), 2, 4)
f(jnp.ones(6), n=3, scale=4)
