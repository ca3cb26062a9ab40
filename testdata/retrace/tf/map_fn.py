"""tf.map_fn traces its function once."""
import tensorflow as tf

@tf.function
def f(x):
    def g(r):
        print("row")
        return tf.reduce_sum(r)
    return tf.map_fn(g, x)

f(tf.ones([2, 3]))
f(tf.ones([2, 3]))
f(tf.ones([4, 3]))
