"""not_read_later."""
import tensorflow as tf
@tf.function
def f(x):
    if x > 0:
        t = x * 2
        x = t
    return x

f(tf.constant(1.0))
f(tf.constant(2.0))
