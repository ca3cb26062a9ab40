"""Two models and two optimizers in one step."""
import tensorflow as tf

g = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(3)])
d = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
go = tf.keras.optimizers.Adam(1e-4)
do = tf.keras.optimizers.Adam(1e-4)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

@tf.function
def step(x):
    print("tracing")
    z = tf.random.normal([4, 2])
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = g(z, training=True)
        real_out = d(x, training=True)
        fake_out = d(fake, training=True)
        gl = bce(tf.ones_like(fake_out), fake_out)
        dl = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
    go.apply_gradients(zip(gt.gradient(gl, g.trainable_variables), g.trainable_variables))
    do.apply_gradients(zip(dt.gradient(dl, d.trainable_variables), d.trainable_variables))

for i in range(3):
    step(tf.ones([4, 3]))
step(tf.ones([2, 3]))
