"""Writes models with torch.onnx.export into a directory, where they are not there yet, and prints what onnx.shape_inference infers for all their values."""
import json
import os
import sys
import warnings

import onnx
import torch
from onnx import shape_inference
from torch import nn
from torch.nn import functional as F
from torchvision import models

warnings.filterwarnings("ignore")


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 8)
        self.lstm = nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(12, 5)
        self.linear = nn.Linear(5, 3)

    def forward(self, x):
        y, (h, c) = self.lstm(self.embed(x))
        z, _ = self.gru(y.transpose(0, 1))
        return self.linear(z[-1]), h, c


class Sizes(nn.Module):
    def forward(self, x):
        y = F.interpolate(x, scale_factor=2.0, mode="bilinear")
        z = F.interpolate(y, size=x.shape[2:], mode="nearest")
        parts = x.reshape(x.shape[0], -1).chunk(2, 1)
        return z + x, torch.arange(x.shape[2]).float() * 0.5, parts[0], F.pad(x, (1, 2)), x.flatten(1).topk(3)[1], x.mean((2, 3)), x[:, :, 1:-1, ::2]


CASES = {
    "resnet18": (models.resnet18, None), "mobilenet_v3_small": (models.mobilenet_v3_small, None), "densenet121": (models.densenet121, None),
    "shufflenet_v2_x0_5": (models.shufflenet_v2_x0_5, None), "vit": (lambda: models.VisionTransformer(64, 16, 2, 2, 32, 64), 64),
    "swin": (lambda: models.SwinTransformer([4, 4], 32, [2, 2], [2, 2], [4, 4]), 64),
    "fcn_resnet50": (lambda: models.segmentation.fcn_resnet50(weights=None, weights_backbone=None), None), "recurrent": (Recurrent, None), "sizes": (Sizes, None),
}


def write(name, make, fixed, opset, path):
    net = make().eval()
    if name == "recurrent":
        x, axes = torch.zeros(2, 7, dtype=torch.long), {0: "N", 1: "T"}
    else:
        x, axes = torch.randn(1, 3, 64, 64) if not fixed else torch.randn(1, 3, fixed, fixed), {0: "N"} if fixed else {0: "N", 2: "H", 3: "W"}
    torch.onnx.export(net, x, path + ".new", opset_version=opset, input_names=["x"], dynamic_axes={"x": axes})
    os.rename(path + ".new", path)


def convert(t):
    if t.WhichOneof("value") != "tensor_type":
        return None
    out = {"elem": t.tensor_type.elem_type}
    if t.tensor_type.HasField("shape"):
        out["dims"] = [d.dim_value if d.HasField("dim_value") else d.dim_param or None for d in t.tensor_type.shape.dim]
    return out


for opset in (9, 11, 13, 16):
    for name, (make, fixed) in CASES.items():
        path = os.path.join(sys.argv[1], "%s_%d.onnx" % (name, opset))
        if not os.path.exists(path):
            try:
                write(name, make, fixed, opset, path)
            except Exception as e:
                print(json.dumps({"path": path, "mode": str(e).split("\n")[0], "types": {}}), flush=True)
                continue
        model = onnx.load(path)
        del model.graph.value_info[:]
        for o in model.graph.output:
            o.ClearField("type")
        types = {}
        for data in (False, True):
            try:
                inferred = shape_inference.infer_shapes(model, False, False, data)
            except Exception:  # what it refuses, it does not know
                continue
            for v in list(inferred.graph.value_info) + list(inferred.graph.output):
                types.setdefault(v.name, convert(v.type))
        print(json.dumps({"path": path, "mode": "exported", "types": {k: v for k, v in types.items() if v}}), flush=True)
