# Environments that others make: what they observe and reward is not known, the classes of a program's own are.
import typing as _typing
from . import spaces
from .spaces import Space

_A, _B = _typing.TypeVar('_A'), _typing.TypeVar('_B')


class Env(_typing.Generic[_A, _B]):
    metadata = {'render_modes': []}
    render_mode = None
    spec = None

    @property
    def unwrapped(self):
        return self

    def step(self, action):
        raise NotImplementedError

    def reset(self, *, seed=None, options=None):
        pass

    def render(self):
        raise NotImplementedError

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
        return False


class Wrapper(Env):
    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return getattr(self.env, name)

    @property
    def unwrapped(self):
        return self.env.unwrapped

    def step(self, action):
        return self.env.step(action)

    def reset(self, *, seed=None, options=None):
        return self.env.reset(seed=seed, options=options)

    def render(self):
        return self.env.render()

    def close(self):
        return self.env.close()
