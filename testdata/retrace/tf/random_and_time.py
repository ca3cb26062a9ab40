"""random and time are constants, tf.random is not."""
import random
import time
import tensorflow as tf

@tf.function
def noise(x):
    print("trace")
    t = time.time()
    return x + random.random() + tf.random.uniform([]) + (t - t)

noise(tf.ones(2))
noise(tf.ones(2))
noise(tf.ones(3))
