# This file is torch.utils.data._utils.
from . import dataloader as collate
