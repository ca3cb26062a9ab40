from torchvision.models.segmentation import LRASPP, LRASPPHead
