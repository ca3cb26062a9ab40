"""ONNX keeps the side of the example."""
import io
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] > 2:
            return x * 2
        return x + 10

net = Net().eval()
buf = io.BytesIO()
torch.onnx.export(net, (torch.rand(3, 2),), buf, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "n"}})
import onnxruntime
sess = onnxruntime.InferenceSession(buf.getvalue())
sess.run(None, {"x": torch.rand(5, 2).numpy()})
sess.run(None, {"x": torch.rand(1, 2).numpy()})
