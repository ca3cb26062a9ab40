"""Rule: ret while."""
import tensorflow as tf

@tf.function
def f(x):
    while x > 0:
        x = x - 1
        if x < 3:
            return x
    return x

print(f(tf.constant(5)).numpy())
