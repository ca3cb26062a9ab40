"""dataset_inside."""
import tensorflow as tf

@tf.function
def total(ds):
    s = 0.0
    for x in ds:
        print("body")
        s += tf.reduce_sum(x)
    return s

ds = tf.data.Dataset.from_tensor_slices(tf.ones([4, 2]))
total(ds)
total(ds)
total(ds.batch(2))
