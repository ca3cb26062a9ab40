"""A variable that differs in dtype and is not read later is left out."""
import tensorflow as tf
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(1)
    else:
        y = tf.constant(1.0)
f(tf.ones([2]))
