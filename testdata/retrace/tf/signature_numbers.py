"""signature_numbers."""
import tensorflow as tf

@tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([None], tf.float32)])
def f(k, x):
    print("trace", k.shape, x.shape)
    return k * x

f(1.0, [1.0, 2.0])
f(2, tf.ones([4]))
f(tf.constant(2.0), [1.0])
try:
    f(tf.constant(2), [1.0])
except Exception as e:
    print(type(e).__name__)
try:
    f(1.0)
except Exception as e:
    print(type(e).__name__)
try:
    f("a", [1.0])
except Exception as e:
    print(type(e).__name__)
f(k=1.0, x=[3.0])
