"""A model that is frozen, and not again."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input(shape=(3,)), tf.keras.layers.Dense(1)])
head = tf.keras.layers.Dense(2)
model.trainable = False

@tf.function
def f(n, x):
    return head(model(x))

f(len(model.trainable_variables), tf.ones([4, 3]))
f(len(model.non_trainable_weights), tf.ones([4, 3]))
model.trainable = True
f(len(model.trainable_variables), tf.ones([4, 3]))
f(len(model.non_trainable_weights), tf.ones([4, 3]))
