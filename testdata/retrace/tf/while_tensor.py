"""while over a tensor loops in the graph."""
import tensorflow as tf

@tf.function
def collatz(n):
    print("trace")
    steps = 0
    while n > 1:
        print("body")
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

print(collatz(tf.constant(6)).numpy())
print(collatz(tf.constant(7)).numpy())
collatz(6)
