# albumentations.pytorch.transforms.
from albumentations import ToTensorV2


class ToTensor(ToTensorV2):
    pass
