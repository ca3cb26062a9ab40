"""A step whose state is a dict with a Python number at first."""
import jax
import jax.numpy as jnp

@jax.jit
def step(state, g):
    print("trace")
    m = 0.9 * state["m"] + g
    return {"m": m, "t": state["t"] + 1}

s = {"m": jnp.zeros(3), "t": 0}
s = step(s, jnp.ones(3))
s = step(s, jnp.ones(3))
s = step(s, jnp.ones(3))
