# What pictures become before a pretrained model takes them.
import torch as _torch
from torch import nn as _nn
from torchvision.transforms import functional as _F


def _floats(img):
    return _F.convert_image_dtype(img if isinstance(img, _torch.Tensor) else _F.pil_to_tensor(img), _torch.float)


class ObjectDetection(_nn.Module):
    def forward(self, img):
        return _floats(img)


class ImageClassification(_nn.Module):
    def __init__(self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), interpolation=None, antialias=True):
        super().__init__()
        self.crop_size = [crop_size]
        self.resize_size = [resize_size]
        self.mean = list(mean)
        self.std = list(std)

    def forward(self, img):
        # The resized picture is cropped to this size, or padded to it.
        img = _F.normalize(_floats(_F.center_crop(img, self.crop_size)), mean=self.mean, std=self.std)
        return _torch._stand_in(img, what='the transforms of pretrained weights')


class VideoClassification(_nn.Module):
    def __init__(self, *, crop_size, resize_size, mean=(0.43216, 0.394666, 0.37645), std=(0.22803, 0.22145, 0.216989), interpolation=None):
        super().__init__()
        self.crop_size = list(crop_size)
        self.resize_size = list(resize_size)
        self.mean = list(mean)
        self.std = list(std)

    def forward(self, vid):
        # Frames [..., T, C, H, W] become [..., C, T, h, w].
        clips = vid.unsqueeze(dim=0) if vid.ndim < 5 else vid
        n, t, c, h, w = clips.shape
        frames = _F.center_crop(clips.view(-1, c, h, w), self.crop_size)
        frames = _torch._stand_in(_F.normalize(_floats(frames), mean=self.mean, std=self.std), what='the transforms of pretrained weights')
        out = frames.view(n, t, c, *self.crop_size).permute(0, 2, 1, 3, 4)
        return out.squeeze(dim=0) if vid.ndim < 5 else out


class SemanticSegmentation(_nn.Module):
    def __init__(self, *, resize_size, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), interpolation=None, antialias=True):
        super().__init__()
        self.resize_size = None if resize_size is None else [resize_size]
        self.mean = list(mean)
        self.std = list(std)

    def forward(self, img):
        if self.resize_size is not None:
            img = _F.resize(img, self.resize_size)
        return _F.normalize(_floats(img), mean=self.mean, std=self.std)


class OpticalFlow(_nn.Module):
    def forward(self, img1, img2):
        first, second = [_F.normalize(_floats(x), mean=[0.5] * 3, std=[0.5] * 3).contiguous() for x in (img1, img2)]
        return first, second
