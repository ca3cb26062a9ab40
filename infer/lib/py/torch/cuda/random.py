# This file is torch.cuda.random.
from . import get_rng_state, manual_seed, manual_seed_all, set_rng_state
