"""Rule: while py break."""
import tensorflow as tf

@tf.function
def f(x, n):
    while n > 0:
        if x > 3:
            break
        x = x + 1
        n = n - 1
    return x

print(f(tf.constant(5), 3).numpy())
