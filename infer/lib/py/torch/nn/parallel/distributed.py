# This file is torch.nn.parallel.distributed.
from . import DistributedDataParallel
