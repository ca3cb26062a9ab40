"""Rule: list assign."""
import tensorflow as tf

@tf.function
def f(xs, x):
    xs[0] = x
    return x

try:
    f([tf.ones([2])], tf.ones([2]))
except ValueError as e:
    print("ValueError")
