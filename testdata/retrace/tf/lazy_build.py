"""A layer that makes its variables in the first call."""
import tensorflow as tf

class Dense(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.w = None

    @tf.function
    def __call__(self, x):
        print("trace", x.shape)
        if self.w is None:
            self.w = tf.Variable(tf.ones([x.shape[-1], self.n]))
        return x @ self.w

d = Dense(2)
d(tf.ones([1, 3]))
d(tf.ones([1, 3]))
d(tf.ones([4, 3]))
