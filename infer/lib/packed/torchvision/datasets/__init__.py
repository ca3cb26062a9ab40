# This file is torchvision.datasets. A data set is known by its documentation:
# the number of its samples, the size of its pictures, the kind of its targets.
# Nothing is read; a size that varies or that files decide is some number.
from .vision import StandardTransform, VisionDataset
from .classify import *
from .folder import DatasetFolder, FakeData, ImageFolder, default_loader
from .detect import CocoCaptions, CocoDetection, Cityscapes, SBDataset, VOCDetection, VOCSegmentation, WIDERFace
