# This file is torch.fx.proxy.
from . import Proxy
