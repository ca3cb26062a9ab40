"""A tracer that leaves its function."""
import jax
import jax.numpy as jnp

saved = []

@jax.jit
def f(x):
    y = x * 2
    saved.append(y)
    return y

f(jnp.ones(2))
try:
    saved[0] + 1
except jax.errors.UnexpectedTracerError:
    print("leaked")
f(jnp.ones(2))
print(len(saved))
