"""A sparse tensor: its dense shape is in the key, how many elements it has is not."""
import tensorflow as tf

@tf.function
def dense(s):
    print("trace")
    return tf.sparse.to_dense(s)

dense(tf.sparse.SparseTensor([[0, 0]], [1.0], [2, 2]))
dense(tf.sparse.SparseTensor([[0, 0], [1, 1]], [1.0, 2.0], [2, 2]))
dense(tf.sparse.SparseTensor([[0, 0]], [1.0], [3, 2]))
