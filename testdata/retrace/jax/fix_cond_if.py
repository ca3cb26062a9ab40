"""A branch on a value: lax.cond keeps both."""
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    y = x * 2
    if x.sum() > 0:
        y = y + 1
    else:
        y = y - 1
    return y

f(jnp.ones(3))
f(-jnp.ones(3))
