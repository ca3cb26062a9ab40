"""A layer that each trace makes has variables of its own."""
import tensorflow as tf

@tf.function
def f(x):
    print("tracing")
    return tf.keras.layers.Dense(4)(x)


f(tf.ones((2, 3)))
