# This file is torch.cuda.amp.grad_scaler.
from . import GradScaler
