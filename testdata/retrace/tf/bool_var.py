import tensorflow as tf

@tf.function
def f(xs):
    ok = True
    for x in xs:
        ok = ok and x > 0
    return ok

f(tf.constant([1, 2]))
f(tf.constant([1, 2]))
f(tf.constant([1.0, 2.0]))
