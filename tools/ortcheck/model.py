# This file runs a model in PyTorch: a request per line on standard input. With
# the Python text that makes the model (the name model) the state_dict is written
# to a file of raw data; with tensors and a call, the tensors and the results are.
# With the name of an ONNX file, the file is given to ONNX's own checker.
import dataclasses
import json
import os
import sys
import warnings

import torch

warnings.simplefilter('ignore')
torch.set_num_threads(1)
if hasattr(torch.cuda, 'is_current_stream_capturing') and not torch.cuda.is_available():
    torch.cuda.is_current_stream_capturing = lambda: False  # a build for GPUs asks CUDA's library, which is missing
NAMES = {'u8': torch.uint8, 'i8': torch.int8, 'i16': torch.int16, 'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool, 'f16': torch.float16,
         'f32': torch.float32, 'f64': torch.float64}
BACK = {v: k for k, v in NAMES.items()}


def write(tensors, path):
    out, at = [], 0
    with open(path, 'wb') as f:
        for name, t in tensors:
            if t is None:
                out.append({'name': name, 't': ''})
                continue
            t = t.detach().contiguous()
            b = t.numpy().tobytes()
            f.write(b)
            out.append({'name': name, 't': BACK[t.dtype], 's': list(t.shape), 'path': path, 'offset': at, 'size': len(b)})
            at += len(b)
    return out


def make(spec):
    d = NAMES[spec['t']]
    if 'v' in spec:
        return torch.tensor(spec['v'], dtype=d)
    if d == torch.bool:
        return torch.rand(spec['s']) > 0.5
    if not d.is_floating_point:
        return torch.randint(0, spec.get('below', 5), spec['s'], dtype=d)
    return torch.randn(spec['s'], dtype=d)


def flatten(v, out, around=()):
    """Lists the tensors and numbers of a result; of an object, those of its attributes in which there are tensors."""
    if v is None or isinstance(v, torch.Tensor):
        out.append(v)
    elif isinstance(v, (list, tuple)):
        for x in v:
            flatten(x, out, around)
    elif isinstance(v, dict):
        for x in v.values():
            flatten(x, out, around)
    elif isinstance(v, (bool, int, float)):
        out.append(torch.tensor(v))
    elif dataclasses.is_dataclass(v):
        for f in dataclasses.fields(v):
            flatten(getattr(v, f.name), out, around)
    elif hasattr(v, '__dict__') and not any(v is o for o in around):
        held = {k: x for k, x in vars(v).items() if holds(x, set())}
        for k in [k for k in held if not k.startswith('_')] or held:
            flatten(held[k], out, around + (v,))
    return out


def holds(v, seen):
    if isinstance(v, torch.Tensor):
        return True
    if id(v) in seen or isinstance(v, (torch.nn.Module, type)):
        return False
    seen.add(id(v))
    parts = v if isinstance(v, (list, tuple)) else v.values() if isinstance(v, dict) else vars(v).values() if hasattr(v, '__dict__') else ()
    return any(holds(x, seen) for x in parts)


def build(req):
    sys.path[:0] = [p for p in req['path'] if p not in sys.path]
    torch.manual_seed(0)
    env = {'torch': torch}
    exec(req['model'], env)
    model = env['model']
    if isinstance(model, torch.nn.Module):
        model.train(req['train'])
        for name, b in model.named_buffers():  # statistics that are not trivial
            if name.split('.')[-1] in ('running_mean', 'running_var'):
                b.copy_(torch.rand_like(b) * 0.5 + 0.5)
        for p in model.parameters():  # nor equal weights: a router of zeros gives ties, which each library breaks in its way
            if p.is_floating_point() and p.numel() > 1 and (p == p.flatten()[0]).all():
                p.data.add_(torch.randn_like(p) * 0.05)
    return model


def evaluate(model, req):
    torch.manual_seed(req['seed'])
    tensors = recorder.arguments(req) if recorder else [make(t) for t in req['tensors']]
    given = write([('', t) for t in tensors], req['file'] + '.in')
    env = dict(getattr(sys.modules.get(getattr(model, '__module__', None)), '__dict__', {}))
    env.update(('tensor%d' % i, t.clone()) for i, t in enumerate(tensors))
    env['the_model'] = model
    with torch.no_grad():
        out = eval('the_model%s(%s)' % ('.' + req['method'] if req['method'] else '', req['call']), env)
    out = flatten(out, [])
    if recorder:
        recorder.run(req, out)
    return {'in': given, 'out': write([('', t) for t in out], req['file'] + '.out')}


def judge(path):
    import onnx
    onnx.checker.check_model(path, full_check=True)
    return {}


def serve(req, model):
    if 'model' in req:
        model[:] = []  # the old one goes before the new one comes
        model.append(build(req))
        state = list(model[0].state_dict().items()) if isinstance(model[0], torch.nn.Module) else []
        if recorder:
            recorder.model(req, state)
        if req['zip']:
            torch.save(dict(state), req['file'] + '.pt')
        return {'out': write(state, req['file'] + '.state')}
    if 'onnx' in req:
        return judge(req['onnx'])
    return evaluate(model[0], req)


recorder = None
if len(sys.argv) > 1:  # a file to record in
    from recorded import Recorder
    recorder = Recorder(sys.argv[1])
current = []
for line in sys.stdin:
    try:
        answer = serve(json.loads(line), current)
    except Exception as e:
        answer = {'error': '%s: %s' % (type(e).__name__, str(e)[:300])}
    print(json.dumps(answer), flush=True)
