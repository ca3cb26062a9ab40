"""tf.switch_case traces all branches."""
import tensorflow as tf

@tf.function
def f(i, x):
    def a():
        print("a")
        return x + 1.0
    def b():
        print("b")
        return x * 2.0
    return tf.switch_case(i, [a, b])

f(tf.constant(0), tf.ones([2]))
f(tf.constant(1), tf.ones([2]))
f(tf.constant(1), tf.ones([3]))
