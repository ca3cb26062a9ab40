# This file is torch.cuda.amp.
from ...amp import GradScaler as _GradScaler, autocast as _autocast, custom_bwd, custom_fwd


class autocast(_autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__('cuda', dtype, enabled)


class GradScaler(_GradScaler):
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__('cuda', init_scale)
