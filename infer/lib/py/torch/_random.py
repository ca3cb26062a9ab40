# This file defines generators and seeds; random values are not tracked.
import torch


class Generator:
    def __init__(self, device='cpu'):
        self.device = torch.device(device)
        self._seed = 67280421310721

    def manual_seed(self, seed):
        self._seed = seed
        return self

    def seed(self):
        return self._seed

    def initial_seed(self):
        return self._seed

    def get_state(self):
        return torch.empty(5056, dtype=torch.uint8)

    def set_state(self, new_state):
        pass


default_generator = Generator()


def manual_seed(seed):
    return default_generator.manual_seed(int(seed))


def seed():
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    pass
