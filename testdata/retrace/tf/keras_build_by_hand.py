"""A layer that the first call builds, and one that is built before."""
import tensorflow as tf

class L(tf.keras.layers.Layer):
    def build(self, shape):
        print("build")
        self.w = self.add_weight(shape=(shape[-1], 2))

    def call(self, x):
        return x @ self.w

d = L()

@tf.function
def f(x):
    print("f")
    return d(x)

f(tf.ones([2, 3]))
f(tf.ones([2, 3]))
d2 = L()
d2.build((None, 3))

@tf.function
def g(x):
    return d2(x)

g(tf.ones([2, 3]))
