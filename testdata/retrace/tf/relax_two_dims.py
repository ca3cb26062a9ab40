"""reduce_retracing: dims that varied become None."""
import tensorflow as tf

@tf.function(reduce_retracing=True)
def total(x):
    print("trace", x.shape)
    return tf.reduce_sum(x, axis=-1)

total(tf.ones([2, 3]))
total(tf.ones([4, 3]))
total(tf.ones([7, 3]))
total(tf.ones([7, 5]))
total(tf.ones([9, 9]))
total(tf.ones([9]))
