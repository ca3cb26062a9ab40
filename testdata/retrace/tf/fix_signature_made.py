"""Numbers of Python in the key: a signature makes tensors of them."""
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)])
def f(x, scale, n):
    print("trace")
    return x * scale + tf.cast(n, tf.float32)

f(tf.ones([1, 2]), 1.0, 2)
f(tf.ones([2, 2]), 2.0, 2)
f(tf.ones([3, 2]), 3.0, 3)
f(tf.ones([3, 2]), 4.0, 3)
