"""jit of grad."""
import jax
import jax.numpy as jnp

def loss(w, x):
    print("loss")
    return jnp.sum(jnp.tanh(x @ w))

step = jax.jit(jax.value_and_grad(loss))
w = jnp.ones((3, 2))
step(w, jnp.ones((4, 3)))
step(w * 2, jnp.ones((4, 3)))
step(w, jnp.ones((5, 3)))
