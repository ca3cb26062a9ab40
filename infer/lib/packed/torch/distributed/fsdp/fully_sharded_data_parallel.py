# This file is torch.distributed.fsdp.fully_sharded_data_parallel.
from . import *
