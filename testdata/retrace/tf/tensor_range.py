"""tensor_range."""
import tensorflow as tf

@tf.function
def f(n):
    s = 0
    for i in range(n):
        print("body", i)
        s += i
    return s

f(tf.constant(3))
f(3)
f(tf.constant(4))
