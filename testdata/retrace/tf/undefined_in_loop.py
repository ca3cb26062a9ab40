"""A TensorArray that a loop fills."""
import tensorflow as tf
@tf.function
def f(x):
    print("trace")
    for i in tf.range(tf.shape(x)[0]):
        ta = ta.write(i, x[i] * 2)
    return ta.stack()
print(f(tf.ones([3, 2])).shape)
print(f(tf.ones([3, 2])).shape)
print(f(tf.ones([4, 3])).shape)
