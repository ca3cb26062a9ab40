from torchvision.models.segmentation import ASPP, DeepLabHead, DeepLabV3
