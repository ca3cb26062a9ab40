"""torchvision's ResNet: downsampling branches."""
import torch
import torchvision
library = ["torchvision.models.resnet"]

torch.manual_seed(0)
net = torchvision.models.resnet.ResNet(torchvision.models.resnet.BasicBlock, [1, 1, 1, 1], num_classes=5).eval()
inputs = (torch.rand(1, 3, 64, 64),)
others = [(torch.rand(2, 3, 70, 70),)]
