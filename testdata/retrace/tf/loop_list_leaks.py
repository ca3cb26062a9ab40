"""What the body of a loop over tensors appends to a list is out of reach after it."""
import tensorflow as tf

@tf.function
def first(x):
    out = []
    for r in x:
        out.append(r)
    return out[0]

@tf.function
def stacked(x):
    out = []
    while tf.reduce_sum(x) < 100.0:
        x = x * 2.0
        out.append(x)
    return out

@tf.function
def unrolled(x):
    out = []
    for i in range(2):
        out.append(x[i])
    return out

for f in (first, stacked, unrolled):
    try:
        f(tf.ones([3, 2]))
    except ValueError as e:
        print(type(e).__name__)
