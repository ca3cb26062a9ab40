"""Rule: ret range py."""
import tensorflow as tf

@tf.function
def f(x):
    for i in range(3):
        if x > i:
            return x * 2
    return x

print(f(tf.constant(5)).numpy())
