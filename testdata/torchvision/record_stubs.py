#!/usr/bin/env python3
"""record_stubs.py OUT.jsonl.gz: each model of torchvision as PyTorch builds and runs it, for the stubs of infer/lib/stub/torchvision.txtar.

Run with the torchvision that the stubs are of. A line has, in the form trace-shapes/1: how the model is made, its inputs and output, parameters,
buffers, and all calls of modules in order, without places and callers. Models run on the meta device, so that no weights are made, and those that look at data
on the CPU, twice: what differs between the two runs is written as ?.
"""
import gzip
import json
import re
import sys

import torch
import torchvision
from torchvision import models

NAMES = {torch.float32: 'f32', torch.float64: 'f64', torch.int64: 'i64', torch.int32: 'i32', torch.uint8: 'u8', torch.bool: 'bool'}
IMAGES = {'inception_v3': 299, 'googlenet': 224, 'maxvit_t': 224, 'vit_b_16': 224, 'vit_b_32': 224, 'vit_l_16': 224, 'vit_l_32': 224, 'vit_h_14': 224}


def value(v):
    """A value as JSON, a tensor as 'f32[2,3]'."""
    if isinstance(v, torch.Tensor):
        return '%s[%s]' % (NAMES[v.dtype], ','.join(map(str, v.shape)))
    if v is None or isinstance(v, (bool, int, float)):
        return v
    if isinstance(v, str):
        return {'str': v}
    if isinstance(v, torch.Size):
        return {'size': list(v)}
    if isinstance(v, tuple) and hasattr(v, '_fields'):
        return {'namedtuple': type(v).__name__, 'fields': {k: value(getattr(v, k)) for k in v._fields}}
    if isinstance(v, tuple):
        return {'tuple': [value(x) for x in v]}
    if isinstance(v, list):
        return [value(x) for x in v]
    if isinstance(v, dict):
        return {'dict': {k: value(x) for k, x in v.items()}}
    return {'obj': type(v).__name__, 'fields': {k: value(x) for k, x in sorted(vars(v).items())}}  # ImageList


def class_name(c):
    module = 'torch.nn' if c.__module__.startswith('torch.nn.modules.') else c.__module__
    return module + '.' + c.__qualname__


def case(name):
    """The expression that makes a model, and its inputs as the command line writes them."""
    package = models.get_model_builder(name).__module__
    kind = package.split('.')[2]
    entry = 'torchvision.models.%s%s(%s)' % (kind + '.' if kind in ('detection', 'segmentation', 'optical_flow', 'video') else '', name,
                                             'weights_backbone=None' if kind in ('detection', 'segmentation') else '')
    if kind == 'detection':
        return entry, ['images=[T("f32[3,120,160]"), T("f32[3,100,90]")]']
    if kind == 'optical_flow':
        return entry, ['image1:f32[1,3,128,160]', 'image2:f32[1,3,128,160]']
    if kind == 'video':
        side = 224 if name.startswith(('mvit', 's3d')) else 64
        return entry, ['x:f32[1,3,%d,%d,%d]' % (16 if side == 224 else 8, side, side)]
    side = IMAGES.get(name, 96)
    return entry, ['x:f32[2,3,%d,%d]' % (side, side)]


def tensors(text, device):
    """The tensors of an input; those of the CPU have random elements."""
    def one(dims):
        dims = [int(d) for d in dims.split(',')]
        return torch.empty(dims, device='meta') if device == 'meta' else torch.rand(dims)
    if '=[' in text:
        return [one(d) for d in re.findall(r'f32\[([\d,]+)\]', text)]
    return one(re.search(r'f32\[([\d,]+)\]', text).group(1))


def run(entry, inputs, device, seed):
    torch.manual_seed(seed)
    with torch.device(device):
        model = eval(entry, {'torchvision': torchvision}).eval()
    names = {id(m): n for n, m in model.named_modules()}
    calls = []
    original = torch.nn.Module.__call__

    def call(module, *args, **kwargs):
        c = {'name': names.get(id(module)), 'class': class_name(type(module)), 'in': [value(a) for a in args]}
        if kwargs:
            c['kw'] = {k: value(v) for k, v in kwargs.items()}
        calls.append(c)
        out = original(module, *args, **kwargs)
        c['out'] = value(out)
        return out

    args = [tensors(i, device) for i in inputs]
    torch.nn.Module.__call__ = call
    try:
        with torch.no_grad():
            out = model(*args)
    finally:
        torch.nn.Module.__call__ = original
    return {'output': value(out), 'class': class_name(type(model)), 'parameters': [[n, value(p)] for n, p in model.named_parameters()],
            'buffers': [[n, value(b)] for n, b in model.named_buffers()], 'n_parameters': sum(p.numel() for p in model.parameters()), 'calls': calls}


def merge(a, b):
    """What two runs agree on, ? in place of what they do not."""
    if a == b:
        return a
    if isinstance(a, str) and isinstance(b, str) and '[' in a:
        x, y = a[a.index('[') + 1:-1].split(','), b[b.index('[') + 1:-1].split(',')
        if a[:a.index('[')] == b[:b.index('[')] and len(x) == len(y):
            return '%s[%s]' % (a[:a.index('[')], ','.join(p if p == q else '?' for p, q in zip(x, y)))
    elif isinstance(a, dict) and isinstance(b, dict) and list(a) == list(b):
        return {k: merge(a[k], b[k]) for k in a}
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [merge(x, y) for x, y in zip(a, b)]
    return '?'


def record(name):
    entry, inputs = case(name)
    device = 'meta'
    try:
        got = run(entry, inputs, device, 0)
    except (NotImplementedError, RuntimeError):  # elements are asked for
        device = 'cpu'
        got = merge(run(entry, inputs, device, 0), run(entry, inputs, device, 1))
    env = {'torch': torch.__version__.split('+')[0], 'torchvision': torchvision.__version__.split('+')[0], 'device': device}
    return {'format': 'trace-shapes/1', 'env': env, 'case': {'id': name, 'modules': ['torchvision'], 'entry': entry, 'inputs': inputs}, **got}


def main():
    with open(sys.argv[1], 'wb') as f, gzip.GzipFile('', 'wb', 9, f, mtime=0) as z:
        for name in models.list_models():
            if name.startswith('quantized_'):
                continue
            doc = record(name)
            z.write(json.dumps(doc, separators=(',', ':')).encode() + b'\n')
            print(name, doc['env']['device'], len(doc['calls']), flush=True)


if __name__ == '__main__':
    main()
