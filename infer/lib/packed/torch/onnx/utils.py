# This file is torch.onnx.utils.
from . import export
