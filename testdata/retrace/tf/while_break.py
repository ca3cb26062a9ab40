"""Rule: while break."""
import tensorflow as tf

@tf.function
def f(x):
    i = 0
    while True:
        x = x * 2
        i += 1
        if x > 10:
            break
    return i

print(f(tf.constant(1.0)).numpy())
