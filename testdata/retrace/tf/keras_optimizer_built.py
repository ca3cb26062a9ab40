"""A train step of a model and an optimizer that are built."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input(shape=(3,)), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
opt.build(model.trainable_variables)

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
