"""Rule: break range py."""
import tensorflow as tf

@tf.function
def f(x):
    for i in range(3):
        if x > i:
            break
        x = x + 1
    return x

print(f(tf.constant(5)).numpy())
