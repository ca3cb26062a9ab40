"""Numbers of Python in the key: a signature makes tensors of them."""
import tensorflow as tf

@tf.function
def f(x, scale, n):
    print("trace")
    return x * scale + tf.cast(n, tf.float32)

f(tf.ones([1, 2]), 1.0, 2)
f(tf.ones([2, 2]), 2.0, 2)
f(tf.ones([3, 2]), 3.0, 3)
f(tf.ones([3, 2]), 4.0, 3)
