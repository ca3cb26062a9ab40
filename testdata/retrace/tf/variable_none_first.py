"""The usual idiom: a variable made in the first call."""
import tensorflow as tf

class Layer(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = None

    @tf.function
    def __call__(self, x):
        print("trace")
        if self.w is None:
            self.w = tf.Variable(tf.ones([x.shape[-1], 2]))
        return x @ self.w

layer = Layer()
layer(tf.ones([4, 3]))
layer(tf.ones([4, 3]))
layer(tf.ones([5, 3]))
