# This file is torch.ops.torchvision; its operators are records.


def _cuda_version():
    return -1
