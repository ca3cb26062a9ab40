# Models of films of torchvision: names and sizes of their parameters and buffers, what they give.
import torch
from torchvision import models
from torchvision.models import video
from torchvision.models.video import mvit, resnet, swin_transformer as swin


def what(model, *size):
    out = model.eval()(torch.zeros(size))
    return [list(out.shape)] + [n + str(list(v.shape)) for n, v in model.state_dict().items()] + [type(m).__name__ for m in model.modules()]


def r3d_18():
    return what(video.r3d_18(), 1, 3, 4, 32, 32)


def mc3_18():
    return what(video.mc3_18(num_classes=7), 2, 3, 5, 40, 30)


def r2plus1d_18():
    return what(video.r2plus1d_18(), 1, 3, 4, 32, 32)


def s3d():
    return what(video.s3d(num_classes=9), 1, 3, 16, 224, 224)


def mvit_v1_b():
    return [n + str(list(v.shape)) for n, v in video.mvit_v1_b().state_dict().items()]


def mvit_v2_s():
    return [n + str(list(v.shape)) for n, v in video.mvit_v2_s().state_dict().items()]


def swin3d_t():
    return what(video.swin3d_t(num_classes=5), 1, 3, 5, 50, 40)


def swin3d_b():
    return [n + str(list(v.shape)) for n, v in video.swin3d_b().state_dict().items()]


def parts():
    small = swin.SwinTransformer3d([2, 4, 4], 8, [1, 2], [2, 4], [2, 3, 4], mlp_ratio=2.0, num_classes=3)
    blocks = [mvit.MSBlockConfig(2, 8, 16, [3, 3, 3], [3, 3, 3], [1, 2, 2], [1, 2, 2]), mvit.MSBlockConfig(2, 16, 16, [], [], [], [])]
    tiny = [mvit.MViT((32, 32), 4, blocks, a, b, c, d, num_classes=3) for a, b, c, d in ((True, True, True, True), (True, False, False, False))]
    deep = resnet.VideoResNet(resnet.Bottleneck, [resnet.Conv3DSimple] * 4, [1, 1, 1, 1], resnet.R2Plus1dStem, num_classes=4)
    return [what(small, 2, 3, 5, 17, 33), [what(net, 2, 3, 4, 32, 32) for net in tiny], what(deep, 1, 3, 4, 32, 32)]


def heads():
    net = video.r3d_18()
    net.fc = torch.nn.Linear(net.fc.in_features, 6)
    other = video.mvit_v2_s()
    other.head[1] = torch.nn.Linear(other.head[1].in_features, 6)
    third = models.get_model('swin3d_t')
    third.head = torch.nn.Linear(third.head.in_features, 6)
    return [list(net.eval()(torch.zeros(1, 3, 4, 32, 32)).shape), list(other.eval()(torch.zeros(1, 3, 16, 224, 224)).shape), list(third.eval()(torch.zeros(1, 3, 4, 32, 32)).shape)]


def weights():
    out = [len(video.R3D_18_Weights.DEFAULT.meta['categories']), video.Swin3D_B_Weights.DEFAULT.name, video.Swin3D_B_Weights.KINETICS400_IMAGENET22K_V1.name]
    for w in (video.R3D_18_Weights, video.S3D_Weights, video.MViT_V2_S_Weights):
        out.append([list(w.DEFAULT.transforms()(torch.zeros(*n, 4, 3, 40, 50, dtype=torch.uint8)).shape) for n in ((), (2,))])
    return out


def refused():
    out = []
    for call in (lambda: video.swin3d_t()(torch.zeros(3, 8, 64, 64)), lambda: video.swin3d_t()(torch.zeros(1, 1, 8, 64, 64)), lambda: video.r3d_18()(torch.zeros(1, 4, 8, 64, 64)),
                 lambda: video.s3d(weights='KINETICS400_V1', num_classes=3), lambda: video.mvit_v2_s()(torch.zeros(3, 8, 64))):
        try:
            call()
        except Exception as e:
            out.append(type(e).__name__)
    return out
