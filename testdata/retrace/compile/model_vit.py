"""tv_vit whole model"""
import torch
import torchvision
model = torchvision.models.VisionTransformer(32, 8, 2, 2, 32, 64)
model.eval()
net = torch.compile(model)
y = net(torch.rand(2, 3, 32, 32))
y = net(torch.rand(3, 3, 32, 32))
y = net(torch.rand(5, 3, 32, 32))
y = net(torch.rand(1, 3, 32, 32))
y = net(torch.rand(2, 3, 32, 32))
y = net(torch.rand(7, 3, 32, 32))
model.train()
y = net(torch.rand(4, 3, 32, 32))
model.eval()
with torch.no_grad():
    y = net(torch.rand(2, 3, 32, 32))
    y = net(torch.rand(6, 3, 32, 32))
