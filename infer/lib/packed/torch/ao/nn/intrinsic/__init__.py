# This file is torch.ao.nn.intrinsic: fused layers, which are sequences.
from ....nn.modules.container import Sequential


class _FusedModule(Sequential):
    pass


class ConvBn1d(_FusedModule):
    pass


class ConvBn2d(_FusedModule):
    pass


class ConvBn3d(_FusedModule):
    pass


class ConvBnReLU1d(_FusedModule):
    pass


class ConvBnReLU2d(_FusedModule):
    pass


class ConvBnReLU3d(_FusedModule):
    pass


class ConvReLU1d(_FusedModule):
    pass


class ConvReLU2d(_FusedModule):
    pass


class ConvReLU3d(_FusedModule):
    pass


class LinearReLU(_FusedModule):
    pass


class LinearBn1d(_FusedModule):
    pass


class BNReLU2d(_FusedModule):
    pass


class BNReLU3d(_FusedModule):
    pass
