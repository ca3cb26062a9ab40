# This file is torch.signal.
from . import windows
