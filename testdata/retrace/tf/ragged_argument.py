"""A ragged tensor: the number of rows is in the key, the lengths of rows are not."""
import tensorflow as tf

@tf.function
def total(r):
    print("trace")
    return tf.reduce_sum(r, axis=1)

total(tf.ragged.constant([[1, 2], [3]]))
total(tf.ragged.constant([[1], [2, 3, 4]]))
total(tf.ragged.constant([[1], [2], [3]]))
total(tf.ragged.constant([[1.0], [2.0, 3.0]]))
