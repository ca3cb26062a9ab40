# Layers and functions of torchvision.ops.
from collections import OrderedDict
import torch
import torchvision
from torchvision import ops
from torchvision.ops import boxes as box_ops
from torchvision.ops.feature_pyramid_network import LastLevelMaxPool, LastLevelP6P7
from torchvision.ops.misc import FrozenBatchNorm2d

a, b = torch.rand(5, 4), torch.rand(3, 4)
picture = torch.zeros(2, 8, 16, 12)
rois = [torch.rand(3, 4), torch.rand(1, 4)]


def what(x):
    return [list(x.shape), str(x.dtype)]


def pairs():
    return [what(f(a, b)) for f in (ops.box_iou, ops.generalized_box_iou, ops.complete_box_iou, ops.distance_box_iou)] + [what(ops.box_iou(a.long(), b.long()))]


def one_by_one():
    return [what(ops.box_area(a)), what(ops.box_area(a.half())), what(box_ops.box_area(a.short())), what(ops.clip_boxes_to_image(a, (4, 5))),
            what(ops.clip_boxes_to_image(torch.rand(2, 5, 4), (4, 5))), what(ops.box_convert(a, 'cxcywh', 'xyxy')), what(ops.box_convert(a, 'xywh', 'cxcywh'))]


def kept():
    return [ops.nms(a, torch.rand(5), 0.5).ndim, str(ops.nms(a, torch.rand(5), 0.5).dtype), ops.batched_nms(a, torch.rand(5), torch.arange(5), 0.5).ndim,
            ops.remove_small_boxes(a, 0.1).ndim]


def regions():
    return [what(ops.roi_align(picture, rois, 7)), what(ops.roi_align(picture, torch.rand(6, 5), (3, 4), aligned=True)), what(ops.roi_pool(picture, rois, (2, 3))),
            what(ops.RoIAlign(3, 0.5, 2)(picture, rois)), what(ops.RoIPool(3, 1.0)(picture, rois)), what(ops.ps_roi_align(picture, rois, 2)),
            what(ops.PSRoIPool(2, 1.0)(picture, rois)), what(ops.MultiScaleRoIAlign(['a', 'b'], 5, 2)({'a': picture, 'b': picture[..., ::2, ::2]}, rois, [(32, 24)] * 2))]


def deformed():
    layer = ops.DeformConv2d(8, 6, 3, stride=2, padding=1, groups=2)
    return [what(layer(picture, torch.zeros(2, 18, 8, 6))), what(layer(picture, torch.zeros(2, 36, 8, 6), torch.zeros(2, 18, 8, 6))), what(layer.weight), what(layer.bias)]


def losses():
    return [what(ops.sigmoid_focal_loss(a, torch.ones(5, 4))), what(ops.sigmoid_focal_loss(a, torch.ones(5, 4), alpha=-1, reduction='mean')),
            what(ops.generalized_box_iou_loss(a, a)), what(ops.distance_box_iou_loss(a, a, reduction='sum')), what(ops.complete_box_iou_loss(a, a, reduction='mean'))]


def pyramid():
    x = OrderedDict([('0', torch.zeros(1, 4, 16, 12)), ('1', torch.zeros(1, 6, 7, 5))])
    out = []
    for extra in (None, LastLevelMaxPool(), LastLevelP6P7(9, 9), LastLevelP6P7(6, 9)):
        net = ops.FeaturePyramidNetwork([4, 6], 9, extra)
        out.append([[k, list(v.shape)] for k, v in net(x).items()])
    return out + [n for n in net.state_dict()]


def layers():
    return [what(ops.Conv2dNormActivation(8, 4, 5, dilation=2)(picture)), what(ops.Conv2dNormActivation(8, 4, (3, 5), norm_layer=None)(picture)),
            what(ops.Conv3dNormActivation(2, 4)(torch.zeros(2, 2, 3, 4, 5))), what(ops.SqueezeExcitation(8, 2)(picture)),
            what(ops.MLP(12, [5, 7], norm_layer=torch.nn.LayerNorm)(picture)), what(ops.Permute([0, 2, 3, 1])(picture)), what(ops.StochasticDepth(0.5, 'row')(picture)),
            what(ops.stochastic_depth(picture, 0.5, 'batch')), what(FrozenBatchNorm2d(8)(picture))]


def states():
    return [list(m.state_dict()) for m in (ops.SqueezeExcitation(8, 2), ops.MLP(12, [5, 7], norm_layer=torch.nn.LayerNorm), FrozenBatchNorm2d(2),
                                           ops.Conv2dNormActivation(3, 4), ops.Conv2dNormActivation(3, 4, norm_layer=None))]


def refused():
    out = []
    for wrong in (lambda: ops.box_convert(a, 'xy', 'xyxy'), lambda: ops.stochastic_depth(picture, 2.0, 'row'), lambda: ops.stochastic_depth(picture, 0.1, 'x'),
                  lambda: ops.roi_align(picture, torch.rand(6, 4), 3), lambda: ops.DeformConv2d(8, 6, 3, groups=3), lambda: ops.FeaturePyramidNetwork([0], 3)):
        try:
            wrong()
        except Exception as e:
            out.append([type(e).__name__, str(e)])
    return out
