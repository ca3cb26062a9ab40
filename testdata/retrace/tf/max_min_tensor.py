"""Rule: max min tensor."""
import tensorflow as tf

@tf.function
def f(x, y):
    return max(x, y), abs(x)

try:
    print(f(tf.constant(1.0), tf.constant(2.0)))
except Exception as e:
    print(type(e).__name__)
