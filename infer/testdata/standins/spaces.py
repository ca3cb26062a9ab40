# Spaces and wrappers of gymnasium.
import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.spaces import Box, Discrete

box = Box(low=0, high=255, shape=(3, 8, 6), dtype=np.uint8)
some = spaces.Dict({'b': Discrete(4), 'a': Box(-np.ones(5), np.ones(5))})


class Own(gym.Env):
    observation_space, action_space = some['a'], some['b']
    kept = 7

    def reset(self, *, seed=None, options=None):
        return self.observation_space.sample(), {}


class Twice(gym.Wrapper):
    def reset(self, *, seed=None, options=None):
        x, info = super().reset(seed=seed)
        return np.concatenate([x, x]), info


def shapes():
    return [s.shape for s in (box, Discrete(3), spaces.MultiDiscrete([2, 3]), spaces.MultiBinary(5), spaces.MultiBinary((2, 3)), some)]


def dtypes():
    return [str(s.dtype) for s in (box, Box(0, 1, (2,)), Discrete(3), spaces.MultiDiscrete([2, 3]), spaces.MultiBinary(5))]


def samples():
    return [box.sample().shape, str(box.sample().dtype), spaces.MultiDiscrete([2, 3]).sample().shape, spaces.MultiBinary(5).sample().shape]


def flat():
    return [spaces.flatdim(s) for s in (box, Discrete(3), spaces.MultiDiscrete([2, 3]), spaces.MultiBinary(5), some, spaces.Tuple([box, Discrete(2)]))]


def dicts():
    return [list(some), list(some.keys()), [type(s).__name__ for s in some.values()], len(some), some['a'].shape, list(some.sample())]


def bounds():
    return [box.low.shape, str(box.high.dtype)]


def numbers():
    d = Discrete(4, start=2)
    return [int(d.n), str(d), str(Discrete(3)), Discrete(3) == Discrete(3), Discrete(3) == Discrete(4), len(spaces.MultiDiscrete([2, 3])), str(spaces.MultiBinary(5))]


def wrapped():
    env = Twice(Own())
    x, info = env.reset(seed=0)
    return [x.shape, str(x.dtype), env.action_space.shape, env.unwrapped.kept, isinstance(env, gym.Env), isinstance(box, gym.Space)]
