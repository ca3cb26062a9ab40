"""A Model of the program: its call is a method."""
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(8, 3, padding="same")
        self.flat = tf.keras.layers.Flatten()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(self.flat(tf.nn.relu(self.conv(x))))


net = Net()


@tf.function
def f(x):
    print("tracing")
    return net(x)


f(tf.ones((2, 8, 8, 3)))
f(tf.ones((2, 8, 8, 3)))
f(tf.ones((4, 8, 8, 3)))
