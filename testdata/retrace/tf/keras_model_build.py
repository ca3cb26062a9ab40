"""build() of a model that has no build of its own makes no variables."""
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(4)
        self.o = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.o(self.d(x))

model = Net()
model.build((None, 3))
opt = tf.keras.optimizers.SGD(0.1)

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss

step(tf.ones([4, 3]), tf.ones([4, 1]))
step(tf.ones([4, 3]), tf.ones([4, 1]))
step(tf.ones([2, 3]), tf.ones([2, 1]))
