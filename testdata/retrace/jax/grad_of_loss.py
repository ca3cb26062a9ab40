"""A jitted gradient of a loss over a dict of parameters."""
import jax
import jax.numpy as jnp

def loss(params, x, y):
    print("loss")
    h = jnp.tanh(x @ params["w1"])
    return jnp.mean((h @ params["w2"] - y) ** 2)

step = jax.jit(jax.value_and_grad(loss))
params = {"w1": jnp.ones((3, 4)), "w2": jnp.ones((4, 1))}
for n in (8, 8, 5, 8):
    v, g = step(params, jnp.ones((n, 3)), jnp.zeros((n, 1)))
    params = jax.tree.map(lambda p, d: p - 0.1 * d, params, g)
