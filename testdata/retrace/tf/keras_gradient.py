"""A step of training with the gradients of a model."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def step(x, y):
    print("tracing")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, grads):
        v.assign_sub(0.1 * g)
    return loss


for i in range(3):
    step(tf.ones((4, 3)), tf.ones((4, 1)))
