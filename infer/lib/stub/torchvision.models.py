# torchvision.models where torchvision is missing: the models that programs use most, with
# the parts and sizes of the real ones.
import importlib
from torchvision.models._api import WeightsEnum, get_model, get_model_builder, get_model_weights, get_weight, list_models
from torchvision.models.alexnet import *
from torchvision.models.convnext import *
from torchvision.models.densenet import *
from torchvision.models.efficientnet import *
from torchvision.models.googlenet import GoogLeNet, GoogLeNet_Weights, GoogLeNetOutputs, googlenet
from torchvision.models.inception import Inception3, Inception_V3_Weights, InceptionOutputs, inception_v3
from torchvision.models.mnasnet import *
from torchvision.models.mobilenet import *
from torchvision.models.regnet import *
from torchvision.models.resnet import *
from torchvision.models.shufflenetv2 import *
from torchvision.models.squeezenet import *
from torchvision.models.swin_transformer import *
from torchvision.models.vgg import *
from torchvision.models.vision_transformer import *


def __getattr__(name):  # a family that is not loaded for the others
    if name in ('detection', 'feature_extraction', 'optical_flow', 'segmentation', 'video'):
        return importlib.import_module('torchvision.models.' + name)
    if name in ('maxvit', 'MaxVit', 'MaxVit_T_Weights', 'maxvit_t'):
        module = importlib.import_module('torchvision.models.maxvit')
        return module if name == 'maxvit' else getattr(module, name)
    raise AttributeError(name)
