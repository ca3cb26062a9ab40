# This file is torch.nn.utils.memory_format.
from . import convert_conv2d_weight_memory_format, convert_conv3d_weight_memory_format
