# The parts of torchvision's detectors before the boxes are chosen: backbone with
# pyramid, heads, anchors, decoded boxes.
from torch import nn
from torchvision.models.detection._utils import BoxCoder
from torchvision.models.detection.anchor_utils import AnchorGenerator, DefaultBoxGenerator
from torchvision.models.detection.backbone_utils import mobilenet_backbone, resnet_fpn_backbone
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.retinanet import RetinaNetHead
from torchvision.models.detection.rpn import RPNHead, concat_box_prediction_layers
from torchvision.models.detection.ssd import SSDHead
from torchvision.ops.feature_pyramid_network import LastLevelP6P7


def levels():
    return resnet_fpn_backbone(backbone_name="resnet18", weights=None, norm_layer=nn.BatchNorm2d, returned_layers=[2, 3, 4], extra_blocks=LastLevelP6P7(256, 256), trainable_layers=5)


class Proposals(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = mobilenet_backbone(backbone_name="mobilenet_v3_large", weights=None, fpn=True)
        self.anchors = AnchorGenerator(((32, 64),) * 3, ((0.5, 1.0, 2.0),) * 3)
        self.head = RPNHead(self.backbone.out_channels, self.anchors.num_anchors_per_location()[0])
        self.coder = BoxCoder((1.0, 1.0, 1.0, 1.0))

    def forward(self, images):
        features = list(self.backbone(images).values())
        objectness, deltas = self.head(features)
        sizes = [(images.shape[-2], images.shape[-1])] * 2
        anchors = self.anchors(ImageList(images, sizes), features)
        objectness, deltas = concat_box_prediction_layers(objectness, deltas)
        return {"boxes": self.coder.decode(deltas, anchors).view(2, -1, 4), "objectness": objectness}


class Retina(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = levels()
        self.head = RetinaNetHead(self.backbone.out_channels, 3, 7, norm_layer=nn.BatchNorm2d)

    def forward(self, images):
        return self.head(list(self.backbone(images).values()))


class Boxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 3, 4, 1), nn.Conv2d(8, 12, 3, 2, 1)
        self.anchors = DefaultBoxGenerator([[2], [2, 3]])
        self.head = SSDHead([8, 12], self.anchors.num_anchors_per_location(), 5)

    def forward(self, images):
        x = self.a(images)
        features = [x, self.b(x)]
        sizes = [(images.shape[-2], images.shape[-1])]
        return self.head(features), self.anchors(ImageList(images, sizes), features)
