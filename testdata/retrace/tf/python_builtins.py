"""Python's functions of tensors become operations."""
import tensorflow as tf

@tf.function
def casts(x):
    return int(x), float(x), sorted(x)

@tf.function
def inside(x):
    return 1 < x < 3

@tf.function
def counts(x, n):
    for i in range(n):
        print("step")
        x = x + tf.cast(i, tf.float32)
    return x

@tf.function
def mixed(x, n):
    for i in range(n):
        x = x + i
    return x

casts(tf.constant([2.5, 1.5]))
inside(tf.constant(2))
inside(tf.constant(2.5))
counts(tf.ones(2), 2)
counts(tf.ones(2), tf.constant(2))
counts(tf.ones(2), tf.constant(3))
mixed(tf.ones(2), 2)
mixed(tf.ones(2), tf.constant(3))
