# Models that torch.onnx.export wrote by way of torch.jit.trace, where the runs of a script's traces
# are recorded: what a session of onnxruntime runs.
import _shapecheck
from ..jit import _traced

_models = []  # (path or file, number of the trace, names of inputs, their sizes, dynamic axes)


def export(model, args, f, options):
    if not isinstance(args, tuple):
        args = (args,)
    if len(args) > 0 and isinstance(args[-1], dict):
        return
    eval_mode = options.get('training') is None and getattr(model, 'training', False)
    if eval_mode:
        model.eval()
    number = _traced.record('onnx.export', model, args, False)
    if eval_mode:
        model.train()
    names = list(options.get('input_names') or [])
    _models.append((f, number, names, [tuple(a.shape) if hasattr(a, 'shape') else None for a in args], dict(options.get('dynamic_axes') or {})))


def model_of(path):
    """What a session reads: the model that was written there, or the last one."""
    for m in reversed(_models):
        if not isinstance(path, str) or not isinstance(m[0], str) or m[0] == path:
            return m
    return None


def refusal(model, feed):
    """Why a session does not run with what it is given; '' where it does."""
    for i, name in enumerate(model[2]):
        if name not in feed:
            return 'the input ' + name + ' is missing'
        old, new, free = model[3][i], tuple(feed[name].shape), model[4].get(name, ())
        if len(old) != len(new):
            return 'the input ' + name + ' has another rank'
        for k, (a, b) in enumerate(zip(old, new)):
            if k not in free and k - len(old) not in free and a != b:
                return 'the size ' + str(k) + ' of the input ' + name + ' is fixed'
    return ''
