# This file is torchvision.transforms.v2.functional: the functions of v1, and those that are new.
import torch
from ..functional import *
from ..functional import (InterpolationMode, center_crop, convert_image_dtype, crop, get_dimensions, hflip, invert, normalize, pad, pil_to_tensor, resize,
                          resized_crop, rgb_to_grayscale, rotate, to_pil_image, vflip)

horizontal_flip = hflip
vertical_flip = vflip
get_size = lambda inpt: list(get_dimensions(inpt))[1:]


def to_image(inpt):
    if isinstance(inpt, torch.Tensor):
        return inpt
    if type(inpt).__module__ == 'numpy':
        out = torch.from_numpy(inpt[:, :, None] if inpt.ndim == 2 else inpt)
        return out.permute(2, 0, 1).contiguous()
    return pil_to_tensor(inpt)


def to_dtype(inpt, dtype=torch.float, scale=False):
    return convert_image_dtype(inpt, dtype) if scale else inpt.to(dtype)


to_dtype_image = to_dtype
