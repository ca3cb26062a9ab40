"""scan over a dict of arrays with a dict carry."""
import jax
import jax.numpy as jnp

@jax.jit
def run(params, batch):
    def body(p, b):
        print("body")
        g = jax.grad(lambda q: jnp.mean((b["x"] @ q["w"] - b["y"]) ** 2))(p)
        p = jax.tree.map(lambda a, d: a - 0.1 * d, p, g)
        return p, p["w"].sum()
    return jax.lax.scan(body, params, batch)

params = {"w": jnp.zeros((3, 1))}
batch = {"x": jnp.ones((5, 8, 3)), "y": jnp.ones((5, 8, 1))}
params, hist = run(params, batch)
params, hist = run(params, batch)
batch = {"x": jnp.ones((6, 8, 3)), "y": jnp.ones((6, 8, 1))}
params, hist = run(params, batch)
