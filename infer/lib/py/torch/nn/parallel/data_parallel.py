# This file is torch.nn.parallel.data_parallel.
from . import DataParallel, data_parallel
