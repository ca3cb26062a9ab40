"""value_and_grad inside a jitted training step: one trace for all steps."""
import jax
import jax.numpy as jnp

def loss_fn(p, x, y):
    pred = x @ p["w"] + p["b"]
    return jnp.mean((pred - y) ** 2)

@jax.jit
def step(p, x, y):
    print("trace step")
    loss, g = jax.value_and_grad(loss_fn)(p, x, y)
    p = jax.tree.map(lambda a, b: a - 0.1 * b, p, g)
    return p, loss

p = {"w": jnp.zeros((3, 1)), "b": jnp.zeros(1)}
x, y = jnp.ones((8, 3)), jnp.ones((8, 1))
for _ in range(3):
    p, loss = step(p, x, y)
step(p, jnp.ones((4, 3)), jnp.ones((4, 1)))
