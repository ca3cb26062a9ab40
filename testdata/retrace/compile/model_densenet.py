"""tv_densenet121 whole model"""
import torch
import torchvision
model = torchvision.models.densenet121()
model.eval()
net = torch.compile(model)
y = net(torch.rand(2, 3, 64, 64))
y = net(torch.rand(3, 3, 64, 64))
y = net(torch.rand(5, 3, 64, 64))
y = net(torch.rand(1, 3, 64, 64))
y = net(torch.rand(2, 3, 96, 96))
y = net(torch.rand(7, 3, 96, 96))
model.train()
y = net(torch.rand(4, 3, 64, 64))
model.eval()
with torch.no_grad():
    y = net(torch.rand(2, 3, 64, 64))
    y = net(torch.rand(6, 3, 96, 96))
