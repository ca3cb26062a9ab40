# Models of torchvision: names and sizes of their parameters and buffers, what they give.
import torch
import torchvision
from torchvision import models
from torchvision.models._utils import IntermediateLayerGetter


def what(model, size=224):
    out = model.eval()(torch.zeros(2, 3, size, size))
    return [list(out.shape)] + [n + str(list(v.shape)) for n, v in model.state_dict().items()]


def heads():
    out = []
    for name, head in (('resnet34', 'fc'), ('densenet121', 'classifier')):
        model = models.get_model(name)
        setattr(model, head, torch.nn.Linear(getattr(model, head).in_features, 7))
        out.append(list(model.eval()(torch.zeros(2, 3, 64, 64)).shape))
    for model in (models.vgg11(), models.mobilenet_v2(), models.efficientnet_b0(), models.alexnet(), models.convnext_tiny()):
        model.classifier[-1] = torch.nn.Linear(model.classifier[-1].in_features, 7)
        out.append(list(model.eval()(torch.zeros(2, 3, 64, 64)).shape))
    vit = torchvision.models.vit_b_32()
    vit.heads.head = torch.nn.Linear(vit.heads.head.in_features, 7)
    return out + [list(vit.eval()(torch.zeros(2, 3, 224, 224)).shape)]


def tops():
    return [list(torch.nn.Sequential(*list(models.resnet18().children())[:-2]).eval()(torch.zeros(1, 3, 65, 97)).shape),
            [[k, list(v.shape)] for k, v in IntermediateLayerGetter(models.resnet50(), {'layer2': 'a', 'layer4': 'b'}).eval()(torch.zeros(1, 3, 64, 64)).items()],
            list(models.resnet50(replace_stride_with_dilation=[False, True, True]).eval().layer4(torch.zeros(1, 1024, 8, 8)).shape),
            list(models.vgg16().features(torch.zeros(1, 3, 70, 33)).shape), list(models.densenet121().eval().features(torch.zeros(1, 3, 100, 64)).shape)]


def options():
    out = [list(models.resnet18(False, num_classes=5).fc.weight.shape), list(models.mobilenet_v2(width_mult=0.35).classifier[1].weight.shape),
           list(models.mobilenet_v3_small(num_classes=4, width_mult=0.5, reduced_tail=True).classifier[0].weight.shape),
           list(models.vit_b_16(image_size=256, representation_size=10).encoder.pos_embedding.shape),
           list(models.vgg13_bn(num_classes=2).classifier[6].weight.shape), list(models.squeezenet1_1(num_classes=3).classifier[1].weight.shape)]
    for wrong in (lambda: models.resnet18(weights='IMAGENET1K_V1', num_classes=10), lambda: models.vit_b_16(image_size=225),
                  lambda: models.vit_b_16()(torch.zeros(1, 3, 225, 224)), lambda: models.resnet18(replace_stride_with_dilation=[True])):
        try:
            wrong()
        except Exception as e:
            out.append([type(e).__name__, str(e)])
    return out


def weights():
    w = models.ResNet50_Weights
    return [len(w.DEFAULT.meta['categories']), w.DEFAULT.name, w.verify('IMAGENET1K_V1').name, w['IMAGENET1K_V2'] == w.DEFAULT,
            isinstance(w.DEFAULT, w), list(models.EfficientNet_B3_Weights.DEFAULT.transforms()(torch.zeros(2, 3, 400, 500)).shape),
            models.ViT_B_16_Weights.DEFAULT.name, models.VGG16_Weights.DEFAULT.name]


def names():
    return [callable(models.__dict__['resnet18']), models.resnet18.__name__, isinstance(models.resnet18(), models.ResNet),
            isinstance(models.vgg11(), models.vgg.VGG), models.resnet.BasicBlock.expansion]


def alexnet():
    return what(models.alexnet())


def convnext_tiny():
    return what(models.convnext_tiny())


def convnext_base():
    return what(models.convnext_base())


def densenet121():
    return what(models.densenet121())


def densenet161():
    return what(models.densenet161())


def efficientnet_b0():
    return what(models.efficientnet_b0())


def efficientnet_b1():
    return what(models.efficientnet_b1())


def efficientnet_b5():
    return what(models.efficientnet_b5())


def efficientnet_v2_s():
    return what(models.efficientnet_v2_s())


def efficientnet_v2_m():
    return what(models.efficientnet_v2_m())


def efficientnet_v2_l():
    return what(models.efficientnet_v2_l())


def mobilenet_v2():
    return what(models.mobilenet_v2())


def mobilenet_v3_large():
    return what(models.mobilenet_v3_large())


def mobilenet_v3_small():
    return what(models.mobilenet_v3_small())


def resnet18():
    return what(models.resnet18())


def resnet50():
    return what(models.resnet50())


def resnext50_32x4d():
    return what(models.resnext50_32x4d())


def resnext101_64x4d():
    return what(models.resnext101_64x4d())


def wide_resnet50_2():
    return what(models.wide_resnet50_2())


def squeezenet1_0():
    return what(models.squeezenet1_0())


def squeezenet1_1():
    return what(models.squeezenet1_1())


def vgg11():
    return what(models.vgg11())


def vgg13_bn():
    return what(models.vgg13_bn())


def vgg16():
    return what(models.vgg16())


def vgg19():
    return what(models.vgg19())


def vit_b_16():
    return what(models.vit_b_16())


def vit_l_32():
    return what(models.vit_l_32())


def googlenet():
    return what(models.googlenet(init_weights=False))


def inception_v3():
    return what(models.inception_v3(init_weights=False), 299)


def auxiliary():
    out = []
    for net, size in ((models.googlenet(init_weights=False), 224), (models.inception_v3(init_weights=False, num_classes=7), 299)):
        given = net.train()(torch.zeros(2, 3, size, size))
        out.append([type(given).__name__, list(given._fields), [list(x.shape) for x in given]])
    out.append(what(models.googlenet(aux_logits=False, transform_input=True, init_weights=False, num_classes=3))[0])
    out.append(what(models.inception_v3(aux_logits=False, transform_input=True, init_weights=False), 99)[0])
    net = models.inception_v3(init_weights=False)
    net.fc = torch.nn.Linear(net.fc.in_features, 2)
    net.AuxLogits.fc = torch.nn.Linear(net.AuxLogits.fc.in_features, 2)
    return out + [[list(x.shape) for x in net(torch.zeros(2, 3, 299, 299))]]


def maps(model, h, w):
    out = model.eval()(torch.zeros(1, 3, h, w))
    return [[[k, list(v.shape)] for k, v in out.items()]] + [n + str(list(v.shape)) for n, v in model.state_dict().items()]


def fcn_resnet50():
    return maps(models.segmentation.fcn_resnet50(weights_backbone=None, aux_loss=True), 65, 97)


def deeplabv3_resnet101():
    return maps(models.segmentation.deeplabv3_resnet101(weights_backbone=None, num_classes=4), 64, 96)


def deeplabv3_mobilenet_v3_large():
    return maps(models.segmentation.deeplabv3_mobilenet_v3_large(weights_backbone=None, aux_loss=True), 64, 100)


def lraspp_mobilenet_v3_large():
    return maps(models.segmentation.lraspp_mobilenet_v3_large(weights_backbone=None, num_classes=3), 64, 64)


def segmentation():
    net = models.segmentation.deeplabv3_resnet50(weights_backbone=None)
    net.classifier[4] = torch.nn.Conv2d(256, 5, kernel_size=1)
    other = models.segmentation.fcn_resnet50(weights_backbone=None)
    other.classifier = models.segmentation.fcn.FCNHead(2048, 6)
    return [maps(net, 64, 64)[0], maps(other, 64, 64)[0], type(net).__name__, type(models.segmentation.deeplabv3.DeepLabHead(64, 2)).__name__,
            len(models.segmentation.DeepLabV3_ResNet50_Weights.DEFAULT.meta['categories'])]


def regnets():
    from torchvision.models import regnet
    params = regnet.BlockParams.from_init_params(depth=6, w_0=16, w_a=10.5, w_m=2.2, group_width=8, bottleneck_multiplier=0.5)
    net = regnet.RegNet(params, num_classes=3, stem_width=8)
    w = models.RegNet_Y_16GF_Weights
    return [what(net, 64), list(models.regnet_y_400mf(num_classes=4).fc.weight.shape), [w.DEFAULT.name, w.IMAGENET1K_SWAG_E2E_V1.name],
            list(w.IMAGENET1K_SWAG_E2E_V1.transforms()(torch.zeros(3, 400, 500)).shape), models.RegNet_Y_128GF_Weights.DEFAULT.name]


def swins():
    from torchvision.models import swin_transformer as swin
    out = []
    for options in ({}, {'block': swin.SwinTransformerBlockV2, 'downsample_layer': swin.PatchMergingV2}):
        out.append(what(swin.SwinTransformer([2, 4], 8, [1, 2], [2, 4], [4, 3], mlp_ratio=2.0, num_classes=3, **options), 50))
    net = models.swin_v2_t()
    net.head = torch.nn.Linear(net.head.in_features, 5)
    return out + [list(net.features(torch.zeros(1, 3, 70, 100)).shape), list(net(torch.zeros(1, 3, 64, 64)).shape),
                  list(models.Swin_V2_T_Weights.DEFAULT.transforms()(torch.zeros(3, 300, 300)).shape)]
