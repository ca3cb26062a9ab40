"""Padding to buckets keeps the number of traces small."""
import jax
import jax.numpy as jnp

@jax.jit
def score(x, n):
    return jnp.where(jnp.arange(x.shape[0]) < n, x, 0.0).sum()

def padded(x):
    size = 4
    while size < x.shape[0]:
        size *= 2
    return score(jnp.pad(x, (0, size - x.shape[0])), x.shape[0])

for n in [3, 4, 5, 7, 8, 2]:
    padded(jnp.ones(n))
