"""while_loop with a tuple carry; the condition is traced, too."""
import jax
import jax.numpy as jnp

@jax.jit
def newton(x):
    def cond(s):
        print("cond")
        y, i = s
        return (jnp.abs(y * y - x).max() > 1e-4) & (i < 20)
    def body(s):
        print("body")
        y, i = s
        return 0.5 * (y + x / y), i + 1
    return jax.lax.while_loop(cond, body, (x, 0))

newton(jnp.ones(3))
newton(jnp.full(3, 2.0))
newton(jnp.ones(2))
