"""reduce_two_args."""
import tensorflow as tf

@tf.function(reduce_retracing=True)
def f(x, y, k):
    print("trace", x.shape, y.shape, k)
    return tf.reduce_sum(x) + tf.reduce_sum(y)

f(tf.ones([2]), tf.ones([3]), 1)
f(tf.ones([3]), tf.ones([3]), 1)
f(tf.ones([4]), tf.ones([4]), 1)
f(tf.ones([4]), tf.ones([4]), 2)
f(tf.ones([5]), tf.ones([5]), 2)
f(tf.ones([6]), tf.ones([7]), 1)
f(tf.ones([2], tf.float64), tf.ones([3]), 1)
