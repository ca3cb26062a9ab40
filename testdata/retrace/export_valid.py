"""Where torch.export's suggested sizes and ours differ: which sizes the model takes.

  python export_valid.py

For each model torch.export 2.15 suggests sizes that leave out valid ones, or fails while it looks for them. Printed are the sizes that
`shapecheck trace` allows and the suggestion does not, and whether the model runs with them and the program exported with Dim.AUTO gives the same.
"""
import logging
import sys

import torch
from torch.export import Dim, export

# name, how it is made, what torch.export says of H and W, sizes that it leaves out
CASES = [
    ("squeezenet1_1", lambda: __import__("torchvision").models.squeezenet1_1(), "H = 16*_H, W = 16*_W", [(17, 17), (18, 35), (70, 41)]),
    ("googlenet", lambda: __import__("torchvision").models.googlenet(init_weights=False), "AssertionError: Expected op to be '=='", [(15, 15), (16, 37)]),
    ("edgenext_xx_small", lambda: __import__("timm").create_model("edgenext_xx_small"), "W = 8*_W", [(64, 65), (65, 71)]),
    ("vit_tiny, dynamic_img_size", lambda: __import__("timm").create_model("vit_tiny_patch16_224", depth=2, dynamic_img_size=True), "H >= 32, W >= 32", [(16, 16), (16, 48)]),
]


def main():
    torch._logging.set_logs(all=logging.CRITICAL)
    torch.manual_seed(0)
    differs = False
    for name, make, says, sizes in CASES:
        model = make().eval()
        program = export(model, (torch.rand(2, 3, 64, 96),), dynamic_shapes=({0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO},)).module()
        for h, w in sizes:
            x = torch.rand(2, 3, h, w)
            with torch.no_grad():
                want = model(x)
                try:
                    equal = torch.allclose(program(x), want, atol=1e-4)
                    differs = differs or not equal
                    same = "the program gives the same" if equal else "the program differs"
                except Exception as e:
                    same = f"the program refuses it ({type(e).__name__})"
            print(f"{name}: torch.export says {says}; {h} x {w}: the model runs, {same}")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
