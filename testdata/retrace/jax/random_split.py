"""A key is split at each step; the trace is one."""
import jax
import jax.numpy as jnp

@jax.jit
def noise(key, x):
    print("trace")
    key, sub = jax.random.split(key)
    return key, x + jax.random.normal(sub, x.shape)

key = jax.random.key(0)
x = jnp.zeros(3)
for _ in range(3):
    key, x = noise(key, x)
noise(key, jnp.zeros((3, 1)))
