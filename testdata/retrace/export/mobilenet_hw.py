"""MobileNetV2 with dynamic height and width."""
import torch
import torchvision
from torch.export import Dim

torch.manual_seed(0)
net = torchvision.models.mobilenet_v2(weights=None).eval()
ep = torch.export.export(net, (torch.ones(2, 3, 64, 64),), dynamic_shapes=({0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO},))
m = ep.module()
m(torch.rand(1, 3, 70, 90))
