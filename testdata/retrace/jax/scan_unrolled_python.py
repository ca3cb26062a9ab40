"""A loop of Python over a size."""
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    out = 0.0
    for i in range(x.shape[0]):
        print("step", i)
        out = out + x[i] * i
    return out

f(jnp.ones(2))
f(jnp.ones(3))
f(jnp.ones(2))
