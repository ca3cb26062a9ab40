"""tv_mobilenet_v3_small whole model"""
import torch
import torchvision
model = torchvision.models.mobilenet_v3_small()
model.eval()
net = torch.compile(model)
model.train()
y = net(torch.rand(4, 3, 64, 64))
loss = y.sum() if torch.is_tensor(y) else y[0].sum()
loss.backward()
y = net(torch.rand(4, 3, 64, 64))
model.eval()
y = net(torch.rand(4, 3, 64, 64))
y = net(torch.rand(4, 3, 64, 64).requires_grad_())
for p in model.parameters():
    p.requires_grad_(False)
y = net(torch.rand(4, 3, 64, 64))
y = net(torch.rand(8, 3, 64, 64))
y = net(torch.rand(9, 3, 96, 96))
y = net(torch.rand(4, 3, 96, 64))
