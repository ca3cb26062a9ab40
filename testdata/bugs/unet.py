"""A UNet of two levels with a segmentation loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.down1 = block(3, 16)
        self.down2 = block(16, 32)
        self.middle = block(32, 64)
        self.up2 = nn.ConvTranspose2d(64, 32, 2, stride=2)
        self.merge2 = block(64, 32)
        self.up1 = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.merge1 = block(32, 16)
        self.out = nn.Conv2d(16, classes, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        m = self.middle(F.max_pool2d(b, 2))
        m = self.merge2(torch.cat([self.up2(m), b], dim=1))
        m = self.merge1(torch.cat([self.up1(m), a], dim=1))
        return self.out(m)


net = UNet(5)
optimizer = torch.optim.Adam(net.parameters())
x = torch.randn(2, 3, 64, 48)
mask = torch.randint(0, 5, (2, 64, 48))
logits = net(x)
loss = F.cross_entropy(logits, mask)
probabilities = logits.softmax(dim=1)
onehot = F.one_hot(mask, 5).permute(0, 3, 1, 2).float()
overlap = (probabilities * onehot).sum(dim=(2, 3))
dice = 1 - (2 * overlap / (probabilities + onehot).sum(dim=(2, 3))).mean()
total = loss + dice
optimizer.zero_grad()
total.backward()
optimizer.step()
