# These models under the name of their own module.
from chainer.links.vision import ResNet50Layers, ResNet101Layers, ResNet152Layers, ResNetLayers, BuildingBlock, prepare
