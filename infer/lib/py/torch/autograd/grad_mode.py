# This file is torch.autograd.grad_mode.
from .._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
