import tensorflow as tf

@tf.function
def f(xs):
    total = 0.0
    for x in xs:
        total = total + x
    return total

f(tf.ones([3, 2]))
