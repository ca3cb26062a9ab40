# This file is torch.nn.qat: layers in quantisation-aware training are float layers.
from ..modules.conv import Conv2d, Conv3d
from ..modules.linear import Linear
