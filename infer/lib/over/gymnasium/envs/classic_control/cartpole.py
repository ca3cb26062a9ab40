# How often an environment was stepped on after its end decides a warning and a reward of 0 or 1;
# kept as a number it would be one of as many values as there were steps.
from gymnasium.envs.classic_control.cartpole import CartPoleEnv as _CartPoleEnv
from _shapecheck import unknown as _unknown


def _read(self):
    return _unknown('how often the environment was stepped on after its end')


def _write(self, value):
    pass


_CartPoleEnv.steps_beyond_terminated = property(_read, _write)
