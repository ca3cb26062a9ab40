"""Shapes that do not broadcast."""
import jax
import jax.numpy as jnp

@jax.jit
def f(x, y):
    z = x * 2
    return z + y

f(jnp.ones(3), jnp.ones(3))
f(jnp.ones((2, 3)), jnp.ones(3))
f(jnp.ones((2, 3)), jnp.ones(2))
