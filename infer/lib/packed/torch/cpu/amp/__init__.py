# This file is torch.cpu.amp.
from ...amp import GradScaler, autocast as _autocast


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__('cpu', dtype, enabled)
