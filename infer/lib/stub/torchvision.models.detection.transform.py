# Pictures before the backbone, boxes and masks after the heads.
import math as _math
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.roi_heads import paste_masks_in_image


class GeneralizedRCNNTransform(_nn.Module):
    def __init__(self, min_size, max_size, image_mean, image_std, size_divisible=32, fixed_size=None, **kwargs):
        super().__init__()
        self.min_size = min_size if isinstance(min_size, (list, tuple)) else (min_size,)
        self.max_size = max_size
        self.image_mean = image_mean
        self.image_std = image_std
        self.size_divisible = size_divisible
        self.fixed_size = fixed_size
        self._skip_resize = kwargs.pop('_skip_resize', False)

    def forward(self, images, targets=None):
        images = list(images)
        if targets is not None:
            targets = [dict(t) for t in targets]
        for i, image in enumerate(images):
            if image.dim() != 3:
                raise ValueError(f'images is expected to be a list of 3d tensors of shape [C, H, W], got {image.shape}')
            image, target = self.resize(self.normalize(image), None if targets is None else targets[i])
            images[i] = image
            if target is not None:
                targets[i] = target
        sizes = [(x.shape[-2], x.shape[-1]) for x in images]
        return ImageList(self.batch_images(images, size_divisible=self.size_divisible), sizes), targets

    def normalize(self, image):
        if not image.is_floating_point():
            raise TypeError(f'Expected input images to be of floating type (in range [0, 1]), but found type {image.dtype} instead')
        mean, std = [_torch.as_tensor(x, dtype=image.dtype, device=image.device)[:, None, None] for x in (self.image_mean, self.image_std)]
        return (image - mean) / std

    def torch_choice(self, k):
        return k[int(_torch.empty(1).uniform_(0.0, float(len(k))).item())] if len(k) > 1 else k[0]

    def resize(self, image, target=None):
        # The short side becomes min_size, unless the long one would get longer than max_size.
        before = image.shape[-2:]
        if self.training and self._skip_resize:
            return image, target
        short = self.torch_choice(self.min_size) if self.training else self.min_size[-1]
        if self.fixed_size is not None:
            how = {'size': [self.fixed_size[1], self.fixed_size[0]]}
        else:
            how = {'scale_factor': min(short / min(before), self.max_size / max(before)), 'recompute_scale_factor': True}
        image = _F.interpolate(image[None], mode='bilinear', align_corners=False, **how)[0]
        if target is None:
            return image, target
        if 'masks' in target:
            target['masks'] = _F.interpolate(target['masks'][:, None].float(), **how)[:, 0].byte()
        target['boxes'] = resize_boxes(target['boxes'], before, image.shape[-2:])
        if 'keypoints' in target:
            target['keypoints'] = resize_keypoints(target['keypoints'], before, image.shape[-2:])
        return image, target

    def batch_images(self, images, size_divisible=32):
        # In the upper left of pictures as large as the largest, rounded up.
        channels, *sides = [max(s) for s in zip(*[x.shape for x in images])]
        sides = [int(_math.ceil(float(n) / size_divisible) * size_divisible) for n in sides]
        batch = images[0].new_full([len(images), channels] + sides, 0)
        for place, x in zip(batch, images):
            place[:x.shape[0], :x.shape[1], :x.shape[2]].copy_(x)
        return batch

    def postprocess(self, result, image_shapes, original_image_sizes):
        if self.training:
            return result
        for found, size, before in zip(result, image_shapes, original_image_sizes):
            found['boxes'] = resize_boxes(found['boxes'], size, before)
            if 'masks' in found:
                found['masks'] = paste_masks_in_image(found['masks'], found['boxes'], before)
            if 'keypoints' in found:
                found['keypoints'] = resize_keypoints(found['keypoints'], size, before)
        return result


def _ratios(x, original_size, new_size):
    # The vector of the ratios of the widths and of the heights.
    h, w = [_torch.tensor(new, dtype=_torch.float32, device=x.device) / _torch.tensor(old, dtype=_torch.float32, device=x.device)
            for new, old in zip(new_size, original_size)]
    return _torch.stack((w, h))


def resize_keypoints(keypoints, original_size, new_size):
    out = keypoints.clone()
    out[..., :2] *= _ratios(keypoints, original_size, new_size)
    return out


def resize_boxes(boxes, original_size, new_size):
    x1, y1, x2, y2 = boxes.unbind(1)
    w, h = _ratios(boxes, original_size, new_size)
    return _torch.stack((x1 * w, y1 * h, x2 * w, y2 * h), dim=1)
