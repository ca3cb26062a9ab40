# This file is torch.distributed.fsdp.
from ...nn.parallel import DistributedDataParallel as FullyShardedDataParallel
