# This file is torch.distributed.fsdp.
from ...nn.parallel import DistributedDataParallel as FullyShardedDataParallel
from .api import (BackwardPrefetch, CPUOffload, CPUOffloadPolicy, FullOptimStateDictConfig, FullStateDictConfig, MixedPrecision, MixedPrecisionPolicy,
                  OffloadPolicy, OptimStateKeyType, ShardedOptimStateDictConfig, ShardedStateDictConfig, ShardingStrategy, StateDictConfig, StateDictType)


def register_fsdp_forward_method(module, method_name):
    pass
