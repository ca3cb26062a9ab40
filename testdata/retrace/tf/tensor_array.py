"""TensorArray in a graph loop."""
import tensorflow as tf

@tf.function
def f(n):
    ta = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        ta = ta.write(i, tf.cast(i, tf.float32) * 2.0)
    return ta.stack()

print(f(tf.constant(3)).shape)
f(tf.constant(5))
