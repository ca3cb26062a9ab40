"""make_jaxpr runs the body each time? It shares the trace of a jitted function."""
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    print("trace", x.shape)
    return x + 1

f(jnp.ones(2))
jax.make_jaxpr(f)(jnp.ones(2))
jax.make_jaxpr(f)(jnp.ones(3))
f(jnp.ones(3))
