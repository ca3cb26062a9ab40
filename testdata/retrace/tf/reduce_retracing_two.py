"""reduce_retracing with two arguments and a number."""
import tensorflow as tf

@tf.function(reduce_retracing=True)
def f(x, y, k):
    print("trace", x.shape, y.shape, k)
    return tf.reduce_sum(x) + tf.reduce_sum(y) + k

f(tf.ones([2]), tf.ones([2]), 1.0)
f(tf.ones([3]), tf.ones([2]), 1.0)
f(tf.ones([4]), tf.ones([2]), 1.0)
f(tf.ones([4]), tf.ones([5]), 1.0)
f(tf.ones([7]), tf.ones([8]), 1.0)
f(tf.ones([7]), tf.ones([8]), 2.0)
