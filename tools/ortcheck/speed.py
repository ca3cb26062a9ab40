# This file times PyTorch's own exporter, without weights: the seconds of the call
# alone, with PyTorch loaded and the model made, are printed.
import io
import json
import sys
import time
import warnings

import torch

warnings.simplefilter('ignore')
spec = json.load(sys.stdin)
sys.path[:0] = spec['path']
space = {}
exec(spec['model'], space)
model = space['model'].eval()
inputs = tuple(torch.randint(0, 5, i['s']) if i['t'] == 'i64' else torch.randn(i['s']) for i in spec['inputs'])
start = time.time()
torch.onnx.export(model, inputs, io.BytesIO(), export_params=False, opset_version=16)
print(time.time() - start)
