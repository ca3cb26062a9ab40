"""What is known is checked as the function is traced."""
import tensorflow as tf

@tf.function
def f(x):
    tf.debugging.assert_rank(x, 2)
    tf.debugging.assert_type(x, tf.float32)
    tf.debugging.assert_equal(x.shape[1], 3)
    print("traced")
    return x * 2

f(tf.ones([2, 3]))
for wrong in [tf.ones([3]), tf.ones([2, 3], tf.float64), tf.ones([2, 4])]:
    try:
        f(wrong)
    except (ValueError, TypeError, tf.errors.InvalidArgumentError) as e:
        print(type(e).__name__)
f(tf.ones([5, 3]))
