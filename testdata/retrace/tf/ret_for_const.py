"""Rule: ret for const."""
import tensorflow as tf

@tf.function
def f(xs):
    for x in xs:
        if x > 1:
            return x
    return tf.constant(-1.0)

print(f(tf.constant([1.0, 2.0])).numpy())
