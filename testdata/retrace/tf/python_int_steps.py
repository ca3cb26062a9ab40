"""A Python step counter traces each time; the warning comes."""
import tensorflow as tf

@tf.function
def step(i, x):
    return x * tf.cast(i, tf.float32)

x = tf.ones(2)
for i in range(7):
    x = step(i, x)
for i in range(3):
    x = step(tf.constant(i), x)
