"""Rule: ret uncond."""
import tensorflow as tf

@tf.function
def f(xs):
    for x in xs:
        return x
    return tf.constant(0.0)

print(f(tf.constant([5.0])).numpy())
