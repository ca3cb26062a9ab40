"""Nested structures of tensors and numbers."""
import tensorflow as tf

@tf.function
def f(batch, opts=None):
    print("trace")
    x = batch["x"]
    if opts is not None:
        x = x * opts["k"]
    return x + batch["y"][0]

b = {"x": tf.ones(2), "y": (tf.ones(2), 3)}
f(b)
f(b, None)
f(b, {"k": 2.0})
f(b, {"k": 3.0})
f({"y": (tf.zeros(2), 3), "x": tf.zeros(2)})
f({"y": [tf.zeros(2), 3], "x": tf.zeros(2)})
