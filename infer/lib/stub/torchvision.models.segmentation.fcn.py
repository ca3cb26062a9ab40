from torchvision.models.segmentation import FCN, FCNHead
