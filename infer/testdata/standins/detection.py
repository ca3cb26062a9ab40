# Detectors of torchvision: names and sizes of their parts, what trains, their losses, and the kinds of what they find.
import torch
import torchvision
from torch import nn
from torchvision.models import detection
from torchvision.models.detection import FasterRCNN, MaskRCNN, _utils as det_utils
from torchvision.models.detection.anchor_utils import DefaultBoxGenerator
from torchvision.models.detection.backbone_utils import mobilenet_backbone, resnet_fpn_backbone
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.keypoint_rcnn import KeypointRCNNPredictor
from torchvision.models.detection.mask_rcnn import MaskRCNNPredictor
from torchvision.models.detection.retinanet import RetinaNetClassificationHead
from torchvision.models.detection.rpn import AnchorGenerator, RPNHead
from torchvision.models.detection.ssd import SSDClassificationHead
from torchvision.models.detection.transform import GeneralizedRCNNTransform, resize_boxes

SIZES = (120, 160), (140, 130)


def state(net):
    frozen = [n for n, p in net.named_parameters() if not p.requires_grad]
    return [n + str(list(v.shape)) for n, v in net.state_dict().items()] + frozen + [type(m).__name__ for m in net.modules()]


def images(sizes=SIZES):
    return [torch.rand(3, h, w) for h, w in sizes]


def targets(masks=False, points=0):
    out = []
    for h, w in SIZES:
        out.append({'boxes': torch.tensor([[5.0, 6.0, 50.0, 60.0], [40.0, 30.0, 99.0, 110.0]]), 'labels': torch.tensor([1, 1])})
        if masks:
            out[-1]['masks'] = torch.zeros(2, h, w, dtype=torch.uint8)
        if points:
            out[-1]['keypoints'] = torch.rand(2, points, 3)
    return out


def small(net):
    net.transform.min_size, net.transform.max_size = (64,), 80
    if hasattr(net, 'rpn'):
        net.rpn._pre_nms_top_n = net.rpn._post_nms_top_n = {'training': 20, 'testing': 20}
        net.roi_heads.fg_bg_sampler.batch_size_per_image, net.roi_heads.detections_per_img = 8, 3
    return net


def both(net, **how):
    small(net)
    losses = net.train()(images(), targets(**how))
    found = net.eval()(images())
    return [[[k, list(v.shape), str(v.dtype)] for k, v in losses.items()],
            [[[k, list(v.shape)[1:], str(v.dtype)] for k, v in d.items()] for d in found]]


def fasterrcnn():
    net = detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def fasterrcnn_v2():
    net = detection.fasterrcnn_resnet50_fpn_v2(num_classes=5)
    return state(net) + both(net)


def fasterrcnn_mobilenet():
    net = detection.fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def maskrcnn():
    net = detection.maskrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net, masks=True)


def maskrcnn_v2():
    return state(detection.maskrcnn_resnet50_fpn_v2())


def keypointrcnn():
    net = detection.keypointrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_keypoints=9)
    return state(net) + both(net, points=9)


def retinanet():
    net = detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def retinanet_v2():
    net = detection.retinanet_resnet50_fpn_v2(num_classes=5)
    return state(net) + both(net)


def fcos():
    net = detection.fcos_resnet50_fpn(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def ssd():
    net = detection.ssd300_vgg16(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def ssdlite():
    net = detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5)
    return state(net) + both(net)


def replaced():
    out = []
    net = detection.maskrcnn_resnet50_fpn(weights=None, weights_backbone=None)
    net.roi_heads.box_predictor = FastRCNNPredictor(net.roi_heads.box_predictor.cls_score.in_features, 2)
    net.roi_heads.mask_predictor = MaskRCNNPredictor(net.roi_heads.mask_predictor.conv5_mask.in_channels, 256, 2)
    out.append(both(net, masks=True))
    net = detection.keypointrcnn_resnet50_fpn(weights=None, weights_backbone=None)
    net.roi_heads.keypoint_predictor = KeypointRCNNPredictor(net.roi_heads.keypoint_predictor.kps_score_lowres.in_channels, 4)
    out.append(both(net, points=4))
    net = detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None)
    head = net.head.classification_head
    net.head.classification_head = RetinaNetClassificationHead(head.cls_logits.in_channels, head.num_anchors, 3)
    out.append(both(net))
    net = detection.ssd300_vgg16(weights=None, weights_backbone=None)
    net.head.classification_head = SSDClassificationHead(det_utils.retrieve_out_channels(net.backbone, (300, 300)), net.anchor_generator.num_anchors_per_location(), 4)
    return out + [both(net)]


def built():
    body = torchvision.models.mobilenet_v2(weights=None).features
    body.out_channels = 1280
    anchors = AnchorGenerator(sizes=((32, 64, 128),), aspect_ratios=((0.5, 1.0, 2.0),))
    pool = torchvision.ops.MultiScaleRoIAlign(featmap_names=['0'], output_size=7, sampling_ratio=2)
    net = FasterRCNN(body, num_classes=2, rpn_anchor_generator=anchors, box_roi_pool=pool)
    other = MaskRCNN(resnet_fpn_backbone(backbone_name='resnet18', weights=None, trainable_layers=2), 3)
    tiny = mobilenet_backbone(backbone_name='mobilenet_v3_small', weights=None, fpn=False)
    return [both(net), state(other), both(other, masks=True), list(tiny(torch.zeros(1, 3, 64, 64)).shape), tiny.out_channels,
            [[k, list(v.shape)] for k, v in resnet_fpn_backbone(backbone_name='resnet34', weights=None, returned_layers=[2, 3])(torch.zeros(1, 3, 64, 64)).items()]]


def weights():
    w = detection.FasterRCNN_ResNet50_FPN_Weights
    return [len(w.DEFAULT.meta['categories']), w.COCO_V1.name, list(w.DEFAULT.transforms()(torch.zeros(3, 40, 50, dtype=torch.uint8)).shape),
            detection.KeypointRCNN_ResNet50_FPN_Weights.DEFAULT.name, len(detection.KeypointRCNN_ResNet50_FPN_Weights.DEFAULT.meta['categories']),
            type(torchvision.models.get_model('fcos_resnet50_fpn', weights=None, weights_backbone=None)).__name__,
            list(torchvision.models.segmentation.FCN_ResNet50_Weights.DEFAULT.transforms()(torch.zeros(3, 40, 50)).shape)]


def refused():
    out = []
    net = small(detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None))
    short, ints, ranks = targets(), targets(), targets()
    del short[1]['labels']
    ints[0]['labels'] = ints[0]['labels'].float()
    ranks[0]['boxes'] = torch.zeros(2, 5)
    for call in (lambda: net(images()), lambda: net(images(), short), lambda: net(images(), ints), lambda: net(images(), ranks),
                 lambda: net([torch.zeros(1, 3, 9, 9)], targets()), lambda: net([torch.zeros(3, 9, 9, dtype=torch.uint8)], targets()[:1]),
                 lambda: FasterRCNN(nn.Conv2d(3, 8, 3), 2), lambda: FasterRCNN(net.backbone), lambda: FasterRCNN(net.backbone, 2, box_roi_pool=3),
                 lambda: detection.fasterrcnn_resnet50_fpn(weights='COCO_V1', num_classes=4),
                 lambda: detection.fasterrcnn_resnet50_fpn_v2(weights=None, weights_backbone='IMAGENET1K_V1', trainable_backbone_layers=7)):
        try:
            call()
        except Exception as e:
            out.append([type(e).__name__, str(e)])
    return out


def anchors():
    boxes = torch.tensor([[2.0, 3.0, 20.0, 30.0], [5.0, 5.0, 9.0, 40.0]])
    pictures = ImageList(torch.zeros(2, 3, 64, 96), [(60, 90), (64, 96)])
    maps = [torch.zeros(2, 8, 8, 12), torch.zeros(2, 8, 4, 6)]
    default = DefaultBoxGenerator([[2], [2, 3]])
    coder = det_utils.BoxCoder((10.0, 10.0, 5.0, 5.0))
    made = AnchorGenerator(((32,), (64, 128)), ((0.5, 1.0), (1.0,)))
    return [made.num_anchors_per_location(), [list(a.shape) for a in made(pictures, maps)], default.num_anchors_per_location(),
            [list(a.shape) for a in default(pictures, maps)], list(coder.encode_single(boxes, boxes).shape), [list(t.shape) for t in coder.encode([boxes, boxes], [boxes, boxes])],
            list(coder.decode(torch.zeros(4, 12), [boxes, boxes]).shape), list(det_utils.BoxLinearCoder().decode(boxes, boxes).shape),
            list(resize_boxes(boxes, (10, 10), (20, 40)).shape), [list(x.shape) for x in RPNHead(8, 3)(maps)[1]],
            [list(GeneralizedRCNNTransform(100, 180, [0.5] * 3, [0.5] * 3)(images())[0].tensors.shape)]]
