# This file is torch.torch_version.
from .version import __version__

TorchVersion = str
