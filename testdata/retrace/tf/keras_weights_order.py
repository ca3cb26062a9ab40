"""The variables of a model in the order in which they are made."""
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.z = tf.keras.layers.Dense(4)
        self.a = [tf.keras.layers.Dense(5), tf.keras.layers.Dense(6)]

    def call(self, x):
        x = self.z(x)
        for d in self.a:
            x = d(x)
        return x

net = Net()
net(tf.ones([2, 3]))

@tf.function
def f(w):
    return w

for v in net.trainable_variables:
    f(tf.identity(v))
print(len(net.layers), net.count_params())
net.z.trainable = False
print(len(net.trainable_variables), len(net.non_trainable_weights))
f(tf.identity(net.trainable_weights[0]))
