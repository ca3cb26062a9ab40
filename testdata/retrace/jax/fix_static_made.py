"""A flag and a count of rounds that Python asks for."""
import jax
import jax.numpy as jnp

@jax.jit(static_argnames=("n", "flag"))
def f(x, n, flag):
    print("trace")
    if flag:
        x = x + 1
    for _ in range(n):
        x = x * 2
    return x

f(jnp.ones(3), 3, True)
f(jnp.ones(3), 3, True)
