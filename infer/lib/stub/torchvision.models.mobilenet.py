# All MobileNets.
from torchvision.models.mobilenetv2 import *
from torchvision.models.mobilenetv3 import *
