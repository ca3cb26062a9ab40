"""A loop whose first state is a Python number."""
import jax
import jax.numpy as jnp

@jax.jit
def step(c, x):
    print("step")
    return c * 0.9 + x.sum()

c = 0.0
for i in range(4):
    c = step(c, jnp.ones(3))
