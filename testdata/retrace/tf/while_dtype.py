"""A loop's variables keep their dtype."""
import tensorflow as tf
@tf.function
def f(x):
    s = 0
    for row in x:
        s = s + tf.reduce_sum(row)
    return s
f(tf.ones([3, 2]))
