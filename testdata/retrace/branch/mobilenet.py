"""torchvision's MobileNetV3."""
import torch
import torchvision
library = ["torchvision.models.mobilenetv2"]

torch.manual_seed(0)
net = torchvision.models.mobilenetv2.MobileNetV2(num_classes=5).eval()
inputs = (torch.rand(1, 3, 32, 32),)
