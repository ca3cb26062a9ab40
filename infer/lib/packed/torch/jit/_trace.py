# This file is torch.jit._trace.
from . import is_tracing
