# torchvision.ops where torchvision is missing.
import math as _math
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torch.nn.modules.utils import _pair
from torchvision.ops._utils import _rois
from torchvision.ops.boxes import (batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, complete_box_iou, distance_box_iou,
                                   generalized_box_iou, masks_to_boxes, nms, remove_small_boxes, _upcast)
from torchvision.ops.feature_pyramid_network import FeaturePyramidNetwork
from torchvision.ops.misc import MLP, Conv2dNormActivation, Conv3dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation
from torchvision.ops.poolers import MultiScaleRoIAlign
from torchvision.ops.stochastic_depth import StochasticDepth, stochastic_depth


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    h, w = _pair(output_size)
    return _torch.ops.torchvision.roi_align(input, _rois(boxes), spatial_scale, h, w, sampling_ratio, aligned)


def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    h, w = _pair(output_size)
    return _torch.ops.torchvision.roi_pool(input, _rois(boxes), spatial_scale, h, w)[0]


def ps_roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1):
    h, w = _pair(output_size)
    return _torch.ops.torchvision.ps_roi_align(input, _rois(boxes), spatial_scale, h, w, sampling_ratio)[0]


def ps_roi_pool(input, boxes, output_size, spatial_scale=1.0):
    h, w = _pair(output_size)
    return _torch.ops.torchvision.ps_roi_pool(input, _rois(boxes), spatial_scale, h, w)[0]


class RoIAlign(_nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio
        self.aligned = aligned

    def forward(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


class RoIPool(_nn.Module):
    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale

    def forward(self, input, rois):
        return roi_pool(input, rois, self.output_size, self.spatial_scale)


class PSRoIAlign(_nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio

    def forward(self, input, rois):
        return ps_roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio)


class PSRoIPool(RoIPool):
    def forward(self, input, rois):
        return ps_roi_pool(input, rois, self.output_size, self.spatial_scale)


def deform_conv2d(input, offset, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), mask=None):
    use_mask = mask is not None
    if mask is None:
        mask = _torch.zeros((input.shape[0], 0), device=input.device, dtype=input.dtype)
    if bias is None:
        bias = _torch.zeros(weight.shape[0], device=input.device, dtype=input.dtype)
    (sh, sw), (ph, pw), (dh, dw), (kh, kw) = _pair(stride), _pair(padding), _pair(dilation), weight.shape[-2:]
    groups = offset.shape[1] // (2 * kh * kw)
    if groups == 0:
        raise RuntimeError('the shape of the offset tensor at dimension 1 is not valid. It should be a multiple of 2 * weight.size[2] * weight.size[3].\n'
                           f'Got offset.shape[1]={offset.shape[1]}, while 2 * weight.size[2] * weight.size[3]={2 * kh * kw}')
    return _torch.ops.torchvision.deform_conv2d(input, weight, offset, mask, bias, sh, sw, ph, pw, dh, dw, input.shape[1] // weight.shape[1], groups, use_mask)


class DeformConv2d(_nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        if in_channels % groups != 0:
            raise ValueError('in_channels must be divisible by groups')
        if out_channels % groups != 0:
            raise ValueError('out_channels must be divisible by groups')
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size, self.stride, self.padding, self.dilation = _pair(kernel_size), _pair(stride), _pair(padding), _pair(dilation)
        self.groups = groups
        self.weight = _nn.Parameter(_torch.empty(out_channels, in_channels // groups, *self.kernel_size))
        _nn.init.kaiming_uniform_(self.weight, a=_math.sqrt(5))
        if bias:
            self.bias = _nn.Parameter(_torch.empty(out_channels))
            bound = 1 / _math.sqrt(in_channels // groups * self.kernel_size[0] * self.kernel_size[1])
            _nn.init.uniform_(self.bias, -bound, bound)
        else:
            self.register_parameter('bias', None)

    def forward(self, input, offset, mask=None):
        return deform_conv2d(input, offset, self.weight, self.bias, self.stride, self.padding, self.dilation, mask)


def _reduced(loss, reduction, empty=False):
    if reduction == 'mean':
        return loss.mean() if not empty or loss.numel() > 0 else 0.0 * loss.sum()
    return loss.sum() if reduction == 'sum' else loss


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction='none'):
    p = _torch.sigmoid(inputs)
    loss = _F.binary_cross_entropy_with_logits(inputs, targets, reduction='none')
    loss = loss * (1 - (p * targets + (1 - p) * (1 - targets))) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return _reduced(loss, reduction)


def _pairs(boxes1, boxes2):
    # Of each pair of boxes: intersection, union, sides of the box around both.
    boxes1, boxes2 = [b if b.dtype in (_torch.float32, _torch.float64) else b.float() for b in (boxes1, boxes2)]
    inner = _torch.min(boxes1[..., 2:], boxes2[..., 2:]) - _torch.max(boxes1[..., :2], boxes2[..., :2])
    inter = inner.clamp(min=0).prod(-1)
    area1, area2 = [(b[..., 2:] - b[..., :2]).prod(-1) for b in (boxes1, boxes2)]
    outer = _torch.max(boxes1[..., 2:], boxes2[..., 2:]) - _torch.min(boxes1[..., :2], boxes2[..., :2])
    return boxes1, boxes2, inter, area1 + area2 - inter, outer


def generalized_box_iou_loss(boxes1, boxes2, reduction='none', eps=1e-7):
    _, _, inter, union, outer = _pairs(boxes1, boxes2)
    area = outer.prod(-1)
    return _reduced(1 - (inter / (union + eps) - (area - union) / (area + eps)), reduction, True)


def _distance(boxes1, boxes2, eps):
    boxes1, boxes2, inter, union, outer = _pairs(boxes1, boxes2)
    iou = inter / (union + eps)
    apart = (boxes1[..., :2] + boxes1[..., 2:]) / 2 - (boxes2[..., :2] + boxes2[..., 2:]) / 2
    return boxes1, boxes2, iou, 1 - iou + (apart ** 2).sum(-1) / ((outer ** 2).sum(-1) + eps)


def distance_box_iou_loss(boxes1, boxes2, reduction='none', eps=1e-7):
    return _reduced(_distance(boxes1, boxes2, eps)[3], reduction, True)


def complete_box_iou_loss(boxes1, boxes2, reduction='none', eps=1e-7):
    boxes1, boxes2, iou, loss = _distance(boxes1, boxes2, 1e-7)
    angle1, angle2 = [_torch.atan((b[..., 2] - b[..., 0]) / (b[..., 3] - b[..., 1])) for b in (boxes1, boxes2)]
    v = 4 / _math.pi ** 2 * _torch.pow(angle2 - angle1, 2)
    with _torch.no_grad():
        alpha = v / (1 - iou + v + eps)
    return _reduced(loss + alpha * v, reduction, True)
