"""raise_in_branch."""
import tensorflow as tf
@tf.function
def f(x):
    if tf.reduce_any(x < 0):
        raise ValueError("negative")
    return tf.sqrt(x)

try:
    f(tf.constant([1.0]))
except Exception as e:
    print(type(e).__name__)
