# AlexNet.
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights


class AlexNet(_nn.Module):
    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = _nn.Sequential(
            _nn.Conv2d(3, 64, kernel_size=11, stride=4, padding=2), _nn.ReLU(inplace=True), _nn.MaxPool2d(kernel_size=3, stride=2),
            _nn.Conv2d(64, 192, kernel_size=5, padding=2), _nn.ReLU(inplace=True), _nn.MaxPool2d(kernel_size=3, stride=2),
            _nn.Conv2d(192, 384, kernel_size=3, padding=1), _nn.ReLU(inplace=True),
            _nn.Conv2d(384, 256, kernel_size=3, padding=1), _nn.ReLU(inplace=True),
            _nn.Conv2d(256, 256, kernel_size=3, padding=1), _nn.ReLU(inplace=True), _nn.MaxPool2d(kernel_size=3, stride=2),
        )
        self.avgpool = _nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = _nn.Sequential(
            _nn.Dropout(p=dropout), _nn.Linear(256 * 6 * 6, 4096), _nn.ReLU(inplace=True),
            _nn.Dropout(p=dropout), _nn.Linear(4096, 4096), _nn.ReLU(inplace=True),
            _nn.Linear(4096, num_classes),
        )

    def forward(self, x):
        return self.classifier(_torch.flatten(self.avgpool(self.features(x)), 1))


AlexNet_Weights = _weights('AlexNet_Weights', IMAGENET1K_V1=224)
alexnet = _builder('alexnet', AlexNet_Weights, AlexNet)
