"""Rule: dict mutation."""
import tensorflow as tf

@tf.function
def f(d, x):
    d["y"] = x
    return x

try:
    f({"x": tf.ones([2])}, tf.ones([2]))
except ValueError as e:
    print("ValueError")
f({"y": tf.ones([2])}, tf.ones([2]))
