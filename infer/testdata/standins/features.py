# What torchvision's create_feature_extractor makes of models: the features, in their order, and the parameters that are left.
import torch
from torchvision import models
from torchvision.models.feature_extraction import create_feature_extractor
from torchvision.ops import FeaturePyramidNetwork


def what(net, *size):
    out = net(torch.zeros(size))
    return [[[k, list(v.shape)] for k, v in out.items()]] + [n + str(list(v.shape)) for n, v in net.state_dict().items()] + [net.training]


def stages():
    return what(create_feature_extractor(models.resnet50().eval(), return_nodes={'layer4': 'c', 'layer1': 'a', 'layer2.1': 'b'}), 1, 3, 64, 96)


def inner():
    return what(create_feature_extractor(models.vgg16(), ['features.8', 'features.15']), 1, 3, 64, 64)


def calls():
    return what(create_feature_extractor(models.resnet18().eval(), ['layer1.0.relu', 'layer1.0.relu_1', 'relu']), 1, 3, 64, 64)


def deep():
    return what(create_feature_extractor(models.efficientnet_b0().eval(), {'features.3.1.block.2': 'x', 'features.5': 'y'}), 2, 3, 64, 64)


def last():
    return what(create_feature_extractor(models.convnext_tiny().eval(), {'features': 'f', 'avgpool': 'p', 'classifier.1': 'q'}), 1, 3, 64, 64)


def sides():
    net = create_feature_extractor(models.resnet18(), train_return_nodes=['layer1'], eval_return_nodes=['layer2', 'layer1'])
    return [[[k, list(v.shape)] for k, v in net.train(mode)(torch.zeros(2, 3, 64, 64)).items()] for mode in (True, False)]


class Pyramid(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = create_feature_extractor(models.resnet50(), return_nodes={f'layer{k}': str(v) for v, k in enumerate([1, 2, 3, 4])})
        with torch.no_grad():
            out = self.body(torch.randn(2, 3, 224, 224))
        self.fpn = FeaturePyramidNetwork([o.shape[1] for o in out.values()], out_channels=256)

    def forward(self, x):
        return self.fpn(self.body(x))


def pyramid():
    return what(Pyramid(), 1, 3, 64, 64)


def refused():
    out = []
    for options in ({}, {'train_return_nodes': ['fc']}, {'return_nodes': ['fc'], 'train_return_nodes': ['fc'], 'eval_return_nodes': ['fc']}):
        try:
            create_feature_extractor(models.resnet18(), **options)
        except ValueError as e:
            out.append(str(e))
    return out
