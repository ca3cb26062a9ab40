# Transforms of torchvision, version 2.
import numpy as np
import torch
from PIL import Image
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional as F

picture = torch.zeros(3, 40, 50, dtype=torch.uint8)
photo = Image.new('RGB', (50, 40))


def what(x):
    return [list(x.shape), str(x.dtype)] if isinstance(x, torch.Tensor) else x if isinstance(x, (int, str)) else type(x).__name__


def train():
    t = v2.Compose([v2.ToImage(), v2.RandomResizedCrop(size=(24, 32), antialias=True), v2.RandomHorizontalFlip(p=0.5), v2.ToDtype(torch.float32, scale=True),
                    v2.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])])
    return [what(t(picture)), what(t(photo)), [what(x) for x in t(photo, 3)], [what(x) for x in t(picture, torch.tensor(3))]]


def test():
    t = v2.Compose([v2.Resize(32, antialias=True), v2.CenterCrop(28), v2.PILToTensor(), v2.ConvertImageDtype(torch.float)])
    return [what(t(photo)), what(v2.ToImage()(np.zeros((4, 5, 3), np.uint8))), what(v2.ToDtype(torch.float16)(picture)), what(v2.ToTensor()(photo)),
            what(v2.Resize((7, 9))(photo).size[0]), what(v2.Grayscale(1)(picture)), what(v2.Pad(2)(picture)), what(v2.RandomCrop(20, padding=4)(picture))]


def mixed():
    x, y = torch.rand(4, 3, 8, 8), torch.tensor([0, 1, 2, 1])
    out = [[what(v) for v in t(x, y)] for t in (v2.CutMix(num_classes=5), v2.MixUp(num_classes=3, alpha=0.2), v2.RandomChoice([v2.CutMix(num_classes=5)]))]
    try:
        v2.MixUp()(x, y)
    except ValueError:
        out.append('refused')
    return out


def targets():
    out = v2.Compose([v2.ToImage(), v2.Resize((16, 16)), v2.ToDtype(torch.float32, scale=True)])(photo, {'labels': torch.tensor([1, 2]), 'id': 7})
    return [what(out[0]), what(out[1]['labels']), out[1]['id']]


class Own(v2.Transform):
    def transform(self, inpt, params):
        return inpt * 2


def own():
    return [what(v) for v in Own()(picture.float(), 5)] + [what(v2.Lambda(lambda x: x[None])(picture)), what(v2.GaussianNoise()(picture.float()))]


def functions():
    return [what(F.to_image(photo)), what(F.to_dtype(picture, torch.float32, scale=True)), what(F.resize(picture, [10, 12])), what(F.horizontal_flip(picture)),
            what(F.center_crop(picture, [5])), what(F.pil_to_tensor(photo)), F.get_size(picture)]
