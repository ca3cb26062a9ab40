"""A dict argument that the body changes."""
import jax
import jax.numpy as jnp

@jax.jit
def f(d):
    print("trace")
    d["y"] = d["x"] * 2
    return d

d = {"x": jnp.ones(2)}
out = f(d)
print(sorted(d), sorted(out))
f(out)
f(d)
