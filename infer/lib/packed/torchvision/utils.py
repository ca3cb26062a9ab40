# This file is torchvision.utils: grids of pictures.
import torch


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0, **kwargs):
    if isinstance(tensor, list):
        tensor = torch.stack(tensor, dim=0)
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f'tensor or list of tensors expected, got {type(tensor)}')
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        if tensor.size(0) == 1:
            tensor = torch.cat((tensor, tensor, tensor), 0)
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = torch.cat((tensor, tensor, tensor), 1)
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    n = tensor.size(0)
    columns = min(nrow, n)
    rows = -(-n // columns)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    return tensor.new_full((tensor.size(1), height * rows + padding, width * columns + padding), pad_value)


def save_image(tensor, fp, format=None, **kwargs):
    make_grid(tensor, **kwargs)


def draw_bounding_boxes(image, *args, **kwargs):
    return torch._stand_in(image, what='what torchvision draws')


draw_segmentation_masks = draw_keypoints = draw_bounding_boxes
