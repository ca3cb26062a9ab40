# This file is torch.amp.grad_scaler.
from . import GradScaler
