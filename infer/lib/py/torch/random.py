# This file is torch.random.
import contextlib
from ._random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True):
    yield
