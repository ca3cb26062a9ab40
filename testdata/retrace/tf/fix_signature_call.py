"""tf.function as a call; a method's signature leaves self out."""
import tensorflow as tf

class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(2.0)

    @tf.function(autograph=True)
    def scaled(self, x, k):
        print("scaled")
        return self.w * x * k

def plain(x, k):
    print("plain")
    return x + k

net = Net()
f = tf.function(plain)
for k in (1.0, 2.0, 3.0):
    net.scaled(tf.ones([2]), k)
    f(tf.ones([2]), k)
