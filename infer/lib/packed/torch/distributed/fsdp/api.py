# This file is torch.distributed.fsdp.api: settings of sharding, which changes no type.
from enum import Enum, auto


class ShardingStrategy(Enum):
    FULL_SHARD = auto()
    SHARD_GRAD_OP = auto()
    NO_SHARD = auto()
    HYBRID_SHARD = auto()
    _HYBRID_SHARD_ZERO2 = auto()


class BackwardPrefetch(Enum):
    BACKWARD_PRE = auto()
    BACKWARD_POST = auto()


class StateDictType(Enum):
    FULL_STATE_DICT = auto()
    LOCAL_STATE_DICT = auto()
    SHARDED_STATE_DICT = auto()


class OptimStateKeyType(Enum):
    PARAM_NAME = auto()
    PARAM_ID = auto()


class _Settings:
    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


class MixedPrecision(_Settings):
    pass


class CPUOffload(_Settings):
    pass


class StateDictConfig(_Settings):
    pass


class FullStateDictConfig(StateDictConfig):
    pass


class ShardedStateDictConfig(StateDictConfig):
    pass


class FullOptimStateDictConfig(_Settings):
    pass


class ShardedOptimStateDictConfig(_Settings):
    pass


class MixedPrecisionPolicy(_Settings):
    pass


class OffloadPolicy(_Settings):
    pass


class CPUOffloadPolicy(OffloadPolicy):
    pass
