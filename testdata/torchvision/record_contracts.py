"""Records for which sizes torchvision's classification models run.

    python3 record_contracts.py > contracts.txt

A line is a model and, for each of the sizes below, 1 where the model in eval
mode takes f32[1,3,H,W], 0 where it raises and a dot where it was not tried.
LEADERS, one model of each architecture, were tried with all sizes; the models
that differ from one of them in width and depth only, with those around which
any leader begins or ceases to work. The conformance command holds the contracts
of the models against it.

The models run on the CPU, for meta tensors are not refused where a convolution
has nothing left, and without their initialisation, which no shape depends on.
"""

import sys

import torch
import torchvision.models as models

SQUARES = list(range(1, 81)) + [224]
SIDES = list(range(1, 81, 6))  # H, beside W = 100
OTHERS = [(100, 31), (223, 223), (224, 231), (225, 224), (231, 231), (256, 256), (320, 256), (448, 448)]
SIZES = [(n, n) for n in SQUARES] + [(n, 100) for n in SIDES] + OTHERS
FEW = [(n, n) for n in (1, 2, 3, 4, 5, 14, 15, 16, 17, 20, 21, 22, 28, 29, 31, 32, 33, 62, 63, 64, 65, 74, 75, 224)]
FEW += [(n, 100) for n in (1, 13, 31, 61, 79)] + [(100, 31)]
LEADERS = """alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3 maxvit_t mnasnet0_5
mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_400mf regnet_y_400mf resnet18 resnet50 resnext50_32x4d
shufflenet_v2_x0_5 squeezenet1_0 squeezenet1_1 swin_t swin_v2_t vgg11 vgg11_bn vit_b_16 vit_b_32 wide_resnet50_2""".split()


def without_init():
    """Makes the functions of nn.init do nothing: no run looks at a value."""
    for name in dir(torch.nn.init):
        if name.endswith("_") and not name.startswith("_"):
            setattr(torch.nn.init, name, lambda tensor, *args, **kw: tensor)


def main():
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    without_init()
    for name in sys.argv[1:] or models.list_models(module=models):
        kw = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
        net = getattr(models, name)(weights=None, **kw).eval()
        out = ""
        for h, w in SIZES:
            if name not in LEADERS and (h, w) not in FEW:
                out += "."
                continue
            try:
                net(torch.zeros(1, 3, h, w))
                out += "1"
            except Exception:  # the model's own failure is what is looked for
                out += "0"
        print(name, out, flush=True)


if __name__ == "__main__":
    main()
