# This file is torch.fx.node.
from . import Node
