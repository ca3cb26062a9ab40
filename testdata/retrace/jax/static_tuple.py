"""A tuple as static argument."""
import jax
import jax.numpy as jnp

def reshape(x, shape):
    print("to", shape)
    return x.reshape(shape)

f = jax.jit(reshape, static_argnums=(1,))
f(jnp.ones(6), (2, 3))
f(jnp.ones(6), (3, 2))
f(jnp.ones(6), (2, 3))
try:
    f(jnp.ones(6), [2, 3])
except ValueError as e:
    print("ValueError")
