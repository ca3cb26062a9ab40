"""undefined_branch."""
import tensorflow as tf

@tf.function
def f(x):
    if x > 0:
        y = x * 2
    return y

try:
    f(tf.constant(1.0))
except Exception as e:
    print(type(e).__name__)

@tf.function
def g(x):
    if x > 0:
        return x * 2

try:
    g(tf.constant(1.0))
except Exception as e:
    print(type(e).__name__)
