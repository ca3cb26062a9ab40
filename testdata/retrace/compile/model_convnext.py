"""tv_convnext_tiny whole model"""
import torch
import torchvision
model = torchvision.models.convnext_tiny()
model.eval()
net = torch.compile(model)
with torch.no_grad():
    y = net(torch.rand(1, 3, 64, 64))
    y = net(torch.rand(2, 3, 64, 64))
    y = net(torch.rand(4, 3, 64, 64))
    y = net(torch.rand(4, 3, 96, 96))
    y = net(torch.rand(1, 3, 96, 96))
y = net(torch.rand(2, 3, 64, 64))
model.bfloat16()
y = net(torch.rand(2, 3, 64, 64).bfloat16())
y = net(torch.rand(3, 3, 64, 64).bfloat16())
