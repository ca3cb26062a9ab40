"""A branch on a value: lax.cond keeps both."""
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    y = x * 2
    y = jax.lax.cond(x.sum() > 0, lambda: y + 1, lambda: y - 1)
    return y

f(jnp.ones(3))
f(-jnp.ones(3))
