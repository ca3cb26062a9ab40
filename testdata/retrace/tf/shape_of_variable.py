"""A variable of unknown size grows."""
import tensorflow as tf
v = tf.Variable(tf.zeros([0, 2]), shape=[None, 2])
@tf.function
def f(x):
    print("trace")
    v.assign(tf.concat([v, x], 0))
    return tf.shape(v)[0]
f(tf.ones([1, 2]))
f(tf.ones([1, 2]))
f(tf.ones([3, 2]))
