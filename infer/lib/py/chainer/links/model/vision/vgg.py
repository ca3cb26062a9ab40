# These models under the name of their own module.
from chainer.links.vision import VGG16Layers, VGG19Layers, prepare
