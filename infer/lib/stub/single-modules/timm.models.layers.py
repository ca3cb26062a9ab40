# Where timm's layers were before.
from timm.layers import *
