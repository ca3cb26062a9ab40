"""Rule: enumerate tensor."""
import tensorflow as tf

@tf.function
def f(xs):
    s = 0.0
    for i, x in enumerate(xs):
        s += x * tf.cast(i, tf.float32)
    return s

print(f(tf.constant([1.0, 2.0])).numpy())
print(f(tf.constant([1.0, 2.0, 4.0])).numpy())
