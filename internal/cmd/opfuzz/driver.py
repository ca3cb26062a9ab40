# This file runs calls in PyTorch: a record of opdb per line on standard input,
# the record with its result on standard output. What depends on contents that
# the record does not hold is skipped: each call runs with two kinds of contents.
import json
import signal
import sys
import warnings

import torch

warnings.simplefilter('ignore')
torch.set_num_threads(1)
NAMES = {'u8': torch.uint8, 'i8': torch.int8, 'i16': torch.int16, 'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool, 'f16': torch.float16,
         'bf16': torch.bfloat16, 'f32': torch.float32, 'f64': torch.float64, 'c32': torch.complex32, 'c64': torch.complex64, 'c128': torch.complex128}
BACK = {v: k for k, v in NAMES.items()}


LIMITS = 'not implemented for', 'getset_descriptor', "can't allocate", 'INTERNAL ASSERT', 'Could not run'


class Skip(Exception):
    pass


def decode(v, seed):
    if isinstance(v, list):
        return [decode(x, seed) for x in v]
    if not isinstance(v, dict):
        return v
    if 't' in v:
        d = NAMES[v['t']]
        if 'v' in v:
            t = torch.tensor(v['v'], dtype=d).reshape(v['s']).clone()  # no view
        elif d.is_complex:
            t = (torch.rand(v['s'], dtype=torch.complex128) * (seed + 0.5) + 0.1).to(d)
        elif seed == 0:
            t = (torch.rand(v['s'], dtype=torch.float64) * 0.9 + 0.05).to(d)
        else:
            t = (torch.randn(v['s'], dtype=torch.float64) * 2).to(d)
        if 'st' not in v:
            return t
        out = torch.empty_strided(v['s'], v['st'], dtype=d)
        if any(s == 0 and n > 1 for s, n in zip(v['st'], v['s'])):
            return out  # of contents that repeat
        return out.copy_(t)
    if 'float' in v:
        return float(v['float'])
    if 'complex' in v:
        return complex(*v['complex'])
    if 'tuple' in v:
        return tuple(decode(v['tuple'], seed))
    if 'size' in v:
        return torch.Size(v['size'])
    if 'dtype' in v:
        return NAMES[v['dtype']]
    raise Skip


def encode(v):
    if isinstance(v, torch.Tensor):
        if v.layout != torch.strided or v.dtype not in BACK:
            raise Skip
        r = {'t': BACK[v.dtype], 's': list(v.shape)}
        if not v.is_contiguous():
            r['st'] = list(v.stride())
        return r
    if isinstance(v, torch.Size):
        return {'size': list(v)}
    if isinstance(v, bool) or v is None or isinstance(v, (int, str)):
        return v
    if isinstance(v, float):
        return {'py': 'float'}
    if isinstance(v, complex):
        return {'py': 'complex'}
    if isinstance(v, torch.dtype):
        return {'dtype': BACK[v]}
    if isinstance(v, tuple) and hasattr(v, '_fields') or type(v).__module__ == 'torch.return_types':
        items = list(v)
        fields = [n for n in dir(type(v)) if not n.startswith('_') and n not in ('n_fields', 'n_sequence_fields', 'n_unnamed_fields', 'count', 'index')]
        order = sorted(fields, key=lambda n: [x is getattr(v, n) for x in items].index(True))
        return {'namedtuple': type(v).__name__.split('.')[-1], 'fields': order, 'items': [encode(x) for x in items]}
    if isinstance(v, tuple):
        return {'tuple': [encode(x) for x in v]}
    if isinstance(v, list):
        return [encode(x) for x in v]
    raise Skip


def once(r, seed):
    import torch.nn.functional
    try:
        f = eval(r['call'], {'torch': torch})
    except AttributeError:
        raise Skip
    args = decode(r['args'], seed)
    kwargs = {k: decode(x, seed) for k, x in r.get('kwargs', {}).items()}
    torch.manual_seed(seed)
    try:
        out = f(*args, **kwargs)
    except Skip:
        raise
    except TimeoutError:
        raise Skip
    except Exception as e:
        if any(x in str(e) for x in LIMITS) or 'LinAlgError' in type(e).__name__:
            raise Skip  # limits of the CPU build, properties, contents
        return {'error': type(e).__name__ + ': ' + str(e).split('\n')[0][:400]}
    return {'out': encode(out)}


def on_alarm(signum, frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, on_alarm)
for line in sys.stdin:
    r = json.loads(line)
    signal.alarm(3)
    try:
        a, b = once(r, 0), once(r, 1)
        if ('error' in a) != ('error' in b) or a.get('out') != b.get('out'):
            raise Skip
        print(json.dumps(dict(r, **a), separators=(',', ':')), flush=True)
    except Exception:
        print('{}', flush=True)
    signal.alarm(0)
