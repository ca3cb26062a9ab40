"""Steps over batches: the last batch is smaller."""
import tensorflow as tf

@tf.function
def step(x):
    print("trace", x.shape)
    return tf.reduce_mean(x)

for x in tf.data.Dataset.from_tensor_slices(tf.ones([10, 3])).batch(4):
    step(x)
for x in tf.data.Dataset.from_tensor_slices(tf.ones([10, 3])).batch(4, drop_remainder=True):
    step(x)
