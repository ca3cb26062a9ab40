# SSD: boxes of several sizes around the places of maps of several sizes.
from collections import OrderedDict as _OrderedDict
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.models.detection.anchor_utils import DefaultBoxGenerator
from torchvision.models.detection.backbone_utils import _coco, _detector
from torchvision.models.detection.faster_rcnn import _transform
from torchvision.models.detection.generalized_rcnn import _begin, _features
from torchvision.models.detection.retinanet import _OneStage
from torchvision.models.vgg import VGG16_Weights, vgg16
from torchvision.ops import boxes as box_ops


def _xavier_init(conv):
    for m in conv.modules():
        if isinstance(m, _nn.Conv2d):
            _nn.init.xavier_uniform_(m.weight)
            if m.bias is not None:
                _nn.init.constant_(m.bias, 0.0)


class SSDHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes):
        super().__init__()
        self.classification_head = SSDClassificationHead(in_channels, num_anchors, num_classes)
        self.regression_head = SSDRegressionHead(in_channels, num_anchors)

    def forward(self, x):
        return {'bbox_regression': self.regression_head(x), 'cls_logits': self.classification_head(x)}


class SSDScoringHead(_nn.Module):
    def __init__(self, module_list, num_columns):
        super().__init__()
        self.module_list = module_list
        self.num_columns = num_columns

    def forward(self, x):
        return _torch.cat([det_utils._by_place(self.module_list[i](f), self.num_columns) for i, f in enumerate(x)], dim=1)


def _convs(in_channels, num_anchors, columns):
    layers = _nn.ModuleList([_nn.Conv2d(n, columns * anchors, 3, padding=1) for n, anchors in zip(in_channels, num_anchors)])
    _xavier_init(layers)
    return layers


class SSDClassificationHead(SSDScoringHead):
    def __init__(self, in_channels, num_anchors, num_classes):
        super().__init__(_convs(in_channels, num_anchors, num_classes), num_classes)


class SSDRegressionHead(SSDScoringHead):
    def __init__(self, in_channels, num_anchors):
        super().__init__(_convs(in_channels, num_anchors, 4), 4)


class SSD(_OneStage):
    def __init__(self, backbone, anchor_generator, size, num_classes, image_mean=None, image_std=None, head=None, score_thresh=0.01, nms_thresh=0.45,
                 detections_per_img=200, iou_thresh=0.5, topk_candidates=400, positive_fraction=0.25, **kwargs):
        super().__init__()
        self.backbone = backbone
        self.anchor_generator = anchor_generator
        self.box_coder = det_utils.BoxCoder(weights=(10.0, 10.0, 5.0, 5.0))
        if head is None:
            wide = backbone.out_channels if hasattr(backbone, 'out_channels') else det_utils.retrieve_out_channels(backbone, size)
            if len(wide) != len(anchor_generator.aspect_ratios):
                raise ValueError(f'The length of the output channels from the backbone ({len(wide)}) do not match the length of the anchor generator aspect '
                                 f'ratios ({len(anchor_generator.aspect_ratios)})')
            head = SSDHead(wide, anchor_generator.num_anchors_per_location(), num_classes)
        self.head = head
        self.proposal_matcher = det_utils.SSDMatcher(iou_thresh)
        self.transform = _transform(min(size), max(size), image_mean, image_std, size_divisible=1, fixed_size=size, **kwargs)
        self._limits(score_thresh, nms_thresh, detections_per_img, topk_candidates)
        self.neg_to_pos_ratio = (1.0 - positive_fraction) / positive_fraction

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        logits, found, moved, true = head_outputs['cls_logits'], 0, [], []
        for i, t in enumerate(targets):
            boxes, rows, a, which = head_outputs['bbox_regression'][i], logits[i], anchors[i], matched_idxs[i]
            there = _torch.where(which >= 0)[0]
            own = which[there]
            found += own.numel()
            to = self.box_coder.encode_single(t['boxes'][own], a[there, :])
            moved.append(_F.smooth_l1_loss(boxes[there, :], to, reduction='sum'))
            classes = _torch.zeros((rows.size(0),), dtype=t['labels'].dtype, device=t['labels'].device)
            classes[there] = t['labels'][own]
            true.append(classes)
        true = _torch.stack(true)
        loss = _F.cross_entropy(logits.view(-1, logits.size(-1)), true.view(-1), reduction='none').view(true.size())
        # Of the places without a box count the worst, in a fixed ratio to those with one.
        positive = true > 0
        worst = loss.clone()
        worst[positive] = -float('inf')
        negative = worst.sort(1, descending=True)[1].sort(1)[1] < self.neg_to_pos_ratio * positive.sum(1, keepdim=True)
        n = max(1, found)
        return {'bbox_regression': _torch.stack(moved).sum() / n, 'classification': (loss[positive].sum() + loss[negative].sum()) / n}

    def forward(self, images, targets=None):
        images, targets, sizes = _begin(self, images, targets)
        features = list(_features(self, images).values())
        outputs = self.head(features)
        anchors = self.anchor_generator(images, features)
        if self.training:
            matched = [self._unmatched(a) if t['boxes'].numel() == 0 else self.proposal_matcher(box_ops.box_iou(t['boxes'], a))
                       for a, t in zip(anchors, targets)]
            return self.eager_outputs(self.compute_loss(targets, outputs, anchors, matched), [])
        found = self.postprocess_detections(outputs, anchors, images.image_sizes)
        return self.eager_outputs({}, self.transform.postprocess(found, images.image_sizes, sizes))

    def postprocess_detections(self, head_outputs, image_anchors, image_shapes):
        probabilities, out = _F.softmax(head_outputs['cls_logits'], dim=-1), []
        for i, size in enumerate(image_shapes):
            scores = probabilities[i]
            decoded = box_ops.clip_boxes_to_image(self.box_coder.decode_single(head_outputs['bbox_regression'][i], image_anchors[i]), size)
            boxes, kept, labels = [], [], []
            for label in range(1, probabilities.size(-1)):
                good = scores[:, label] > self.score_thresh
                score = scores[:, label][good]
                score, best = score.topk(det_utils._topk_min(score, self.topk_candidates, 0))
                boxes.append(decoded[good][best])
                kept.append(score)
                labels.append(_torch.full_like(score, fill_value=label, dtype=_torch.int64))
            out.append(self._kept(boxes, kept, labels))
        return out


def _extra(width, inner, out, kernel=3, **options):
    return _nn.Sequential(_nn.Conv2d(width, inner, 1), _nn.ReLU(inplace=True), _nn.Conv2d(inner, out, kernel, **options), _nn.ReLU(inplace=True))


class SSDFeatureExtractorVGG(_nn.Module):
    def __init__(self, backbone, highres):
        super().__init__()
        pools = [i for i, layer in enumerate(backbone) if isinstance(layer, _nn.MaxPool2d)]
        backbone[pools[2]].ceil_mode = True
        self.scale_weight = _nn.Parameter(_torch.ones(512) * 20)
        self.features = _nn.Sequential(*backbone[:pools[3]])
        extra = [_extra(1024, 256, 512, padding=1, stride=2), _extra(512, 128, 256, padding=1, stride=2), _extra(256, 128, 256), _extra(256, 128, 256)]
        if highres:
            extra.append(_extra(256, 128, 256, 4))
        fc = _nn.Sequential(_nn.MaxPool2d(3, stride=1, padding=1), _nn.Conv2d(512, 1024, 3, padding=6, dilation=6), _nn.ReLU(inplace=True),
                            _nn.Conv2d(1024, 1024, 1), _nn.ReLU(inplace=True))
        for m in extra + [fc]:
            _xavier_init(m)
        self.extra = _nn.ModuleList([_nn.Sequential(*backbone[pools[3]:-1], fc)] + extra)

    def forward(self, x):
        x = self.features(x)
        out = [self.scale_weight.view(1, -1, 1, 1) * _F.normalize(x)]
        for block in self.extra:
            x = block(x)
            out.append(x)
        return _OrderedDict([(str(i), f) for i, f in enumerate(out)])


def _vgg_extractor(backbone, highres, trainable_layers):
    net = backbone.features
    stages = [0] + [i for i, layer in enumerate(net) if isinstance(layer, _nn.MaxPool2d)][:-1]
    _torch._assert(0 <= trainable_layers <= len(stages), f'trainable_layers should be in the range [0, {len(stages)}]. Instead got {trainable_layers}')
    for layer in net[:len(net) if trainable_layers == 0 else stages[len(stages) - trainable_layers]]:
        for parameter in layer.parameters():
            parameter.requires_grad_(False)
    return SSDFeatureExtractorVGG(net, highres)


def _make(num_classes, trained, layers, **kwargs):
    anchors = DefaultBoxGenerator([[2], [2, 3], [2, 3], [2, 3], [2], [2]], scales=[0.07, 0.15, 0.33, 0.51, 0.69, 0.87, 1.05],
                                  steps=[8, 16, 32, 64, 100, 300])
    kwargs = {'image_mean': [0.48235, 0.45882, 0.40784], 'image_std': [1.0 / 255.0] * 3, **kwargs}
    return SSD(_vgg_extractor(vgg16(), False, layers), anchors, (300, 300), num_classes, **kwargs)


SSD300_VGG16_Weights = _coco('SSD300_VGG16_Weights')
ssd300_vgg16 = _detector('ssd300_vgg16', SSD300_VGG16_Weights, VGG16_Weights, _make, (5, 4), entry='IMAGENET1K_FEATURES')
