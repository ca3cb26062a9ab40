# entry: forward
# arg: n=3
import chainer
import numpy as np


def forward(n):
    g = np.random.default_rng(0)
    state = np.random.get_state()
    np.random.set_state(state)
    legacy = np.random.RandomState(1)
    return (g.multinomial(np.array([3, 4]), [.5, .5]), g.multinomial(5, [[.5, .5], [.2, .8]]), g.multinomial([[3], [4]], [[.5, .5]] * n), g.multinomial([3, 4], [.5, .5], (5, 2)), g.multinomial(5, [.2, .8], n),
            state[0], state[1], legacy.get_state()[0], legacy.choice(5, n, p=[.2] * 5), np.random.dirichlet([1.0, 2], n), g.permutation(np.zeros((2, n)), axis=1), g.permuted(np.zeros((2, n)), axis=0))
