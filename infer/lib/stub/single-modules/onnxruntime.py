# This file is onnxruntime, where it is missing: sessions of models that the script exported by
# torch.onnx.export(dynamo=False).
import _shapecheck
import torch
from torch.onnx import _exported
from torch.jit import _traced


class SessionOptions:
    pass


class InferenceSession:
    def __init__(self, path_or_bytes, sess_options=None, providers=None, provider_options=None, **kwargs):
        self._model = _exported.model_of(path_or_bytes)

    def get_inputs(self):
        return _shapecheck.unknown('the inputs of a session of onnxruntime')

    def get_outputs(self):
        return _shapecheck.unknown('the outputs of a session of onnxruntime')

    def run(self, output_names, input_feed, run_options=None):
        if self._model is None or output_names or not _shapecheck.jit_records():
            return _shapecheck.unknown('what onnxruntime computes')
        args = tuple([torch.from_numpy(v) for v in input_feed.values()])
        out = _shapecheck.jit_run(self._model[1], args, [_traced.text(a) for a in args], _exported.refusal(self._model, input_feed))
        if _shapecheck.is_unknown(out):
            return out
        return [t.detach().numpy() for t in (out if isinstance(out, (tuple, list)) else [out])]


def get_available_providers():
    return ['CPUExecutionProvider']
