"""A tf.Module with a decorated __call__."""
import tensorflow as tf

class Dense(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.built = False

    @tf.function
    def __call__(self, x):
        print("trace", self.n)
        if not self.built:
            self.w = tf.Variable(tf.ones([x.shape[-1], self.n]))
            self.built = True
        return x @ self.w

d = Dense(2)
d(tf.ones([1, 3]))
d(tf.ones([2, 3]))
e = Dense(3)
e(tf.ones([1, 3]))
d(tf.ones([1, 3]))
