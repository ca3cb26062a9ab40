"""1, 1.0 and True are one key."""
import tensorflow as tf

@tf.function
def f(n):
    print("trace", n)
    return tf.constant(1.0)

f(1)
f(1.0)
f(True)
f(2)
f(2.0)
