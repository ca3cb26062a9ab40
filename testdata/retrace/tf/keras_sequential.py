"""A Sequential is built in the first trace."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(2)])


@tf.function
def f(x):
    print("tracing")
    return model(x)


f(tf.ones((2, 3)))
f(tf.ones((2, 3)))
f(tf.ones((5, 3)))
