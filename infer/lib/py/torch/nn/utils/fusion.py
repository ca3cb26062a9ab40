# This file is torch.nn.utils.fusion.
from . import fuse_conv_bn_eval, fuse_linear_bn_eval
