"""Records for which sizes torchvision's classification models run.

    python3 record_contracts.py > contracts.txt

A line is a model and, for each of the sizes below, 1 where the model in eval
mode takes f32[1,3,H,W] and 0 where it raises. One model of each architecture is
recorded; the others differ in widths and depths only. The conformance command
holds the contracts of the models against it.
"""

import sys

import torch
import torchvision.models as models

SQUARES = list(range(1, 81)) + [224]
SIDES = list(range(1, 81, 6))  # H, beside W = 100
MODELS = """alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3 maxvit_t mnasnet0_5
mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_400mf regnet_y_400mf resnet18 resnet50 resnext50_32x4d
shufflenet_v2_x0_5 squeezenet1_0 squeezenet1_1 swin_t swin_v2_t vgg11 vgg11_bn vit_b_16 vit_b_32 wide_resnet50_2""".split()


def main():
    torch.set_grad_enabled(False)
    for name in sys.argv[1:] or MODELS:
        kw = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
        net = getattr(models, name)(weights=None, **kw).eval()
        out = ""
        for h, w in [(n, n) for n in SQUARES] + [(n, 100) for n in SIDES]:
            try:
                net(torch.zeros(1, 3, h, w))
                out += "1"
            except Exception:  # the model's own failure is what is looked for
                out += "0"
        print(name, out, flush=True)


if __name__ == "__main__":
    main()
