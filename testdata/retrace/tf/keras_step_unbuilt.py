"""A train step whose first call builds the model."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
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
