"""An optimizer that is given another variable than it was built with."""
import tensorflow as tf

a = tf.Variable(1.0)
b = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)

@tf.function
def f(n):
    v = [a, b][n]
    opt.apply_gradients([(tf.zeros_like(v), v)])

f(0)
try:
    f(1)
except ValueError:
    pass
