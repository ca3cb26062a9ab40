"""A layer that was called before is built."""
import tensorflow as tf

layer = tf.keras.layers.Dense(4)
layer(tf.ones((1, 3)))


@tf.function
def f(x):
    print("tracing")
    return layer(x)


f(tf.ones((2, 3)))
f(tf.ones((2, 3)))
