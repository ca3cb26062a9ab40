# What pictures become before a pretrained model takes them.
import torch as _torch
from torch import nn as _nn
from torchvision.transforms import functional as _F


class ImageClassification(_nn.Module):
    def __init__(self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), interpolation=None, antialias=True):
        super().__init__()
        self.crop_size = [crop_size]
        self.resize_size = [resize_size]
        self.mean = list(mean)
        self.std = list(std)

    def forward(self, img):
        # The resized picture is cropped to this size, or padded to it.
        img = _F.center_crop(img, self.crop_size)
        if not isinstance(img, _torch.Tensor):
            img = _F.pil_to_tensor(img)
        img = _F.convert_image_dtype(img, _torch.float)
        return _torch._stand_in(_F.normalize(img, mean=self.mean, std=self.std), what='the transforms of pretrained weights')
