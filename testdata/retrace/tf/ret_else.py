"""Rule: ret else."""
import tensorflow as tf

@tf.function
def f(x):
    for i in range(2):
        if x > i:
            return x * 2
        else:
            return x
    return x

print(f(tf.constant(5)).numpy())
