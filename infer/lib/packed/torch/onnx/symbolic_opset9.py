# This file is torch.onnx.symbolic_opset9.
