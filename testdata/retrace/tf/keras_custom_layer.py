"""A layer of the program with build and add_weight."""
import tensorflow as tf

class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        print("build")
        self.w = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, x):
        print("call")
        return x * self.w


layer = Scale()


@tf.function
def f(x):
    print("tracing")
    return layer(x)


f(tf.ones((2, 3)))
f(tf.ones((2, 3)))
f(tf.ones((4, 3)))
