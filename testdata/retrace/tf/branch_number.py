"""branch_number."""
import tensorflow as tf

@tf.function
def f(x):
    k = 0
    if x > 0:
        k = 1.5
    return k

try:
    f(tf.constant(1.0))
except Exception as e:
    print(type(e).__name__)

@tf.function
def g(x):
    k = 0
    if x > 0:
        k = 1
    return k

print(g(tf.constant(1.0)).numpy())
g(tf.constant(-1.0))
