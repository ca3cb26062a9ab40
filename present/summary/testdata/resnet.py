"""ResNet (He et al. 2015) with the widths of torchvision's resnet18 and resnet50."""
from torch import nn


def conv(cin, cout, k, stride=1):
    return nn.Conv2d(cin, cout, k, stride, k // 2, bias=False)


class Basic(nn.Module):
    grow = 1

    def __init__(self, cin, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            conv(cin, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(inplace=True), conv(width, width, 3), nn.BatchNorm2d(width)
        )
        self.short = shortcut(cin, width, stride)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.body(x) + self.short(x))


class Bottleneck(nn.Module):
    grow = 4

    def __init__(self, cin, width, stride):
        super().__init__()
        cout = width * self.grow
        self.body = nn.Sequential(
            conv(cin, width, 1), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            conv(width, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            conv(width, cout, 1), nn.BatchNorm2d(cout),
        )
        self.short = shortcut(cin, cout, stride)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.body(x) + self.short(x))


def shortcut(cin, cout, stride):
    if cin == cout and stride == 1:
        return nn.Identity()
    return nn.Sequential(conv(cin, cout, 1, stride), nn.BatchNorm2d(cout))


class ResNet(nn.Module):
    def __init__(self, block, depths, classes=1000):
        super().__init__()
        self.stem = nn.Sequential(conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
        stages, cin = [], 64
        for i, depth in enumerate(depths):
            width = 64 * 2**i
            layers = []
            for k in range(depth):
                layers.append(block(cin, width, 2 if i > 0 and k == 0 else 1))
                cin = width * block.grow
            stages.append(nn.Sequential(*layers))
        self.stages = nn.Sequential(*stages)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(cin, classes)

    def forward(self, x):
        return self.fc(self.pool(self.stages(self.stem(x))).flatten(1))


def resnet18():
    return ResNet(Basic, [2, 2, 2, 2])


def resnet50():
    return ResNet(Bottleneck, [3, 4, 6, 3])
