# The environments of gym are made as those of gymnasium.
from gymnasium import Env, Space, Wrapper
from . import spaces
