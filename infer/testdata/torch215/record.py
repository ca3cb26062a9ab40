"""Records what PyTorch does with the programs of cases.txt, in the format of opdb215.

    python record.py > own.jsonl       (then: gzip -n9 own.jsonl)

A block of cases.txt begins with a line "# group"; each of its other lines is one program,
in which "; " at brace level 0 of the source stands as Python has it, and "\\n" for a line break.
What it calls y is the result. The names x, w, b, m, h, d, i, s are tensors, see ENV.
"""
import json
import math
import os
import re
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter('ignore')
SHORT = {torch.float32: 'f32', torch.float64: 'f64', torch.float16: 'f16', torch.bfloat16: 'bf16', torch.int64: 'i64', torch.int32: 'i32',
         torch.int16: 'i16', torch.int8: 'i8', torch.uint8: 'u8', torch.bool: 'bool', torch.complex64: 'c64', torch.complex128: 'c128'}
for name, short in (('uint16', 'u16'), ('uint32', 'u32'), ('uint64', 'u64'), ('complex32', 'c32'), ('bcomplex32', 'bc32'),
                    ('float8_e4m3fn', 'f8e4m3fn'), ('float8_e5m2', 'f8e5m2'), ('float8_e4m3fnuz', 'f8e4m3fnuz'),
                    ('float8_e5m2fnuz', 'f8e5m2fnuz'), ('float8_e8m0fnu', 'f8e8m0fnu'), ('float4_e2m1fn_x2', 'f4e2m1fnx2')):
    if hasattr(torch, name):
        SHORT[getattr(torch, name)] = short
ENV = {'x': ('f32', [2, 3]), 'w': ('f32', [4, 3]), 'b': ('f32', [4]), 'm': ('f32', [5, 3]), 'h': ('bf16', [2, 3]), 'd': ('f64', [2, 3]),
       'i': ('i64', [2, 3]), 's': ('f32', [2, 5, 8])}


def made(dtype, shape):
    t = next(k for k, v in SHORT.items() if v == dtype)
    return torch.rand(shape).to(t) if t.is_floating_point else torch.zeros(shape, dtype=t)


def enc(v):
    if isinstance(v, torch.Tensor):
        r = {'t': SHORT[v.dtype], 's': list(v.shape)}
        if v.device.type != 'cpu':
            r['dev'] = str(v.device)
        return r
    if v is None or isinstance(v, (bool, int, str)):
        return v
    if isinstance(v, float):
        return {'py': 'float'}
    if isinstance(v, complex):
        return {'py': 'complex'}
    if isinstance(v, torch.Size):
        return {'size': list(v)}
    if isinstance(v, tuple) and hasattr(v, '_fields') or type(v).__module__ == 'torch.return_types':
        fields = list(v._fields) if hasattr(v, '_fields') else [n for n in dir(v) if not n.startswith('_')][:len(v)]
        return {'namedtuple': type(v).__name__, 'fields': fields, 'items': [enc(e) for e in v]}
    if isinstance(v, tuple):
        return {'tuple': [enc(e) for e in v]}
    if isinstance(v, list):
        return [enc(e) for e in v]
    if isinstance(v, dict):
        return {'dict': {k: enc(e) for k, e in v.items()}}
    if isinstance(v, torch.dtype):
        return {'dtype': SHORT[v]}
    raise TypeError(f'no form for {type(v)}')


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    group = ''
    for line in open(os.path.join(here, 'cases.txt')):
        line = line.rstrip('\n')
        if line.startswith('# '):
            group = line[2:]
            continue
        if not line:
            continue
        src = line.replace('\\n', '\n')
        names = set(re.findall(r'\w+', src))
        env = {n: {'t': t, 's': s} for n, (t, s) in ENV.items() if n in names}
        scope = {n: made(t['t'], t['s']) for n, t in env.items()}
        scope.update(torch=torch, nn=nn, F=F, math=math)
        rec = {'op': group, 'variant': 'statement', 'gen': 'own', 'src': src, 'env': env, 'var': 'y'}
        torch.manual_seed(0)
        try:
            with torch.no_grad():
                exec(src, scope)
            rec['out'] = enc(scope['y'])
        except Exception as e:
            rec['error'] = f'{type(e).__name__}: ' + (str(e).splitlines() or [''])[0][:300]
        print(json.dumps(rec, separators=(',', ':')))


if __name__ == '__main__':
    main()
