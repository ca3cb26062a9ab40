# albumentations.pytorch.
from albumentations import ToTensorV2


class ToTensor(ToTensorV2):
    pass
