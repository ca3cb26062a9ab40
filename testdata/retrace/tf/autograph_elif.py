"""elif over a tensor: all ways are traced."""
import tensorflow as tf

@tf.function
def sign(x):
    if x > 0:
        print("pos")
        y = tf.constant(1)
    elif x < 0:
        print("neg")
        y = tf.constant(-1)
    else:
        print("zero")
        y = tf.constant(0)
    return y

sign(tf.constant(2.0))
sign(tf.constant(-2.0))
sign(tf.constant(2))
