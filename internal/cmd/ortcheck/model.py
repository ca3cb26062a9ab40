# This file runs a model in PyTorch: a request per line on standard input, with
# the Python text that makes the model (the name model) and its inputs. The
# state_dict, the inputs and the results go to files of raw data.
import dataclasses
import json
import os
import sys
import warnings

import torch

warnings.simplefilter('ignore')
NAMES = {'u8': torch.uint8, 'i8': torch.int8, 'i16': torch.int16, 'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool, 'f16': torch.float16,
         'f32': torch.float32, 'f64': torch.float64}
BACK = {v: k for k, v in NAMES.items()}


def write(tensors, path):
    out, at = [], 0
    with open(path, 'wb') as f:
        for name, t in tensors:
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


def flatten(v, out):
    if isinstance(v, torch.Tensor):
        out.append(v)
    elif isinstance(v, (list, tuple)):
        for x in v:
            flatten(x, out)
    elif isinstance(v, dict):
        for x in v.values():
            flatten(x, out)
    elif dataclasses.is_dataclass(v):
        for f in dataclasses.fields(v):
            flatten(getattr(v, f.name), out)
    elif isinstance(v, (bool, int)):
        out.append(torch.tensor(v))
    elif isinstance(v, float):
        out.append(torch.tensor(v))
    return out


models = {}
for line in sys.stdin:
    req = json.loads(line)
    try:
        if req['model'] not in models:
            models.clear()
            sys.path[:0] = [p for p in req['path'] if p not in sys.path]
            torch.manual_seed(0)
            env = {'torch': torch}
            exec(req['model'], env)
            model = env['model']
            if isinstance(model, torch.nn.Module):
                model.train(req['train'])
                kept = model.state_dict()
                for name, b in model.named_buffers():  # statistics that are not trivial
                    if name in kept and b.dtype.is_floating_point and b.dim() == 1:
                        b.copy_(torch.rand_like(b) * 0.5 + 0.5)
            models[req['model']] = model
        model = models[req['model']]
        torch.manual_seed(req['seed'])
        inputs = [(i['name'], make(i)) for i in req['inputs']]
        state = list(model.state_dict().items()) if isinstance(model, torch.nn.Module) else []
        params = write(state, os.path.join(req['dir'], 'state.bin'))
        given = write(inputs, os.path.join(req['dir'], 'inputs.bin'))
        with torch.no_grad():
            out = model(*[t.clone() for _, t in inputs])
        results = write([('', t) for t in flatten(out, [])], os.path.join(req['dir'], 'out.bin'))
        answer = {'feeds': params + given, 'out': results}
    except Exception as e:
        answer = {'error': '%s: %s' % (type(e).__name__, str(e)[:300])}
    print(json.dumps(answer), flush=True)
