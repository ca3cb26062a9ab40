"""Batches of several sizes: reduce_retracing keeps the size open."""
import tensorflow as tf

@tf.function
def f(x):
    print("trace")
    return tf.reduce_sum(x * 2.0, axis=1)

for n in (1, 2, 3, 4, 5):
    f(tf.ones([n, 2]))
