# This file runs calls in PyTorch: a record of opdb per line on standard input,
# the record with its result on standard output. What depends on contents that
# the record does not hold is skipped: each call runs with two kinds of contents.
import json
import resource
import signal
import sys
import warnings

import torch
import torch.nn.functional

try:
    import torchvision
except ImportError:
    torchvision = None

warnings.simplefilter('ignore')
torch.set_num_threads(1)
torch.set_grad_enabled(False)
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
NAMES = {'u8': torch.uint8, 'i8': torch.int8, 'i16': torch.int16, 'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool, 'f16': torch.float16,
         'bf16': torch.bfloat16, 'f32': torch.float32, 'f64': torch.float64, 'c32': torch.complex32, 'c64': torch.complex64, 'c128': torch.complex128}
BACK = {v: k for k, v in NAMES.items()}
SCOPE = {'torch': torch, 'torchvision': torchvision}


LIMITS = 'not implemented for', 'getset_descriptor', "can't allocate", 'INTERNAL ASSERT', 'Could not run', 'DefaultCPUAllocator', 'Pinned memory requires', 'not compiled with CUDA'


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
    if 'slice' in v:
        return slice(*decode(v['slice'], seed))
    if 'ellipsis' in v:
        return Ellipsis
    if 'memory_format' in v:
        return getattr(torch, v['memory_format'])
    if 'callable' in v:
        return eval(v['callable'], SCOPE)
    if 'module' in v:
        return make(v, seed)
    raise Skip


def make(ctor, seed):
    return eval(ctor['module'], SCOPE)(*decode(ctor.get('args', []), seed), **{k: decode(x, seed) for k, x in ctor.get('kwargs', {}).items()})


def encode(v, contents):
    """The form of a value in a record; contents collects those of its tensors."""
    if isinstance(v, torch.Tensor):
        if isinstance(v, torch.nn.parameter.UninitializedTensorMixin):
            return {'t': BACK[v.dtype], 's': None}
        if v.layout != torch.strided or v.dtype not in BACK:
            raise Skip
        r = {'t': BACK[v.dtype], 's': list(v.shape)}
        if not v.is_contiguous():
            r['st'] = list(v.stride())
        small = v.numel() <= 64 and not v.is_floating_point() and not v.is_complex()
        contents.append([int(x) for x in v.flatten().tolist()] if small else None)
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
    if isinstance(v, torch.device):
        return {'device': str(v)}
    if isinstance(v, torch.layout):
        return {'layout': str(v)[len('torch.'):]}
    if isinstance(v, tuple) and hasattr(v, '_fields') or type(v).__module__ == 'torch.return_types':
        items = list(v)
        fields = [n for n in dir(type(v)) if not n.startswith('_') and n not in ('n_fields', 'n_sequence_fields', 'n_unnamed_fields', 'count', 'index')]
        order = sorted(fields, key=lambda n: [x is getattr(v, n) for x in items].index(True))
        return {'namedtuple': type(v).__name__.split('.')[-1], 'fields': order, 'items': [encode(x, contents) for x in items]}
    if isinstance(v, tuple):
        return {'tuple': [encode(x, contents) for x in v]}
    if isinstance(v, list):
        return [encode(x, contents) for x in v]
    raise Skip


def open_contents(v):
    """Whether a value holds a tensor with elements that are not written."""
    if isinstance(v, dict):
        if 't' in v:
            return 'v' not in v and 0 not in v['s']
        return any(open_contents(x) for x in v.values())
    return isinstance(v, list) and any(open_contents(x) for x in v)


def failure(e):
    if isinstance(e, (Skip, TimeoutError)) or any(x in str(e) for x in LIMITS) or 'LinAlgError' in type(e).__name__:
        raise Skip  # limits of the CPU build, properties, contents
    return {'error': type(e).__name__ + ': ' + str(e).split('\n')[0][:400]}


def once(r, seed):
    torch.manual_seed(seed)
    args = decode(r['args'], seed)
    kwargs = {k: decode(x, seed) for k, x in r.get('kwargs', {}).items()}
    state = {}
    if 'ctor' in r:
        try:
            f = make(r['ctor'], seed)
        except Exception as e:
            return dict(failure(e), at='constructor')
        f.train(bool(r.get('train')))
        state = {'params': {k: encode(p, []) for k, p in f.named_parameters()}, 'state_dict': list(f.state_dict())}
        if buffers := {k: encode(b, []) for k, b in f.named_buffers()}:
            state['buffers'] = buffers
    elif r['variant'] == 'attribute':
        f = lambda x: getattr(x, r['call'].rsplit('.', 1)[1])
    else:
        try:
            f = eval(r['call'], SCOPE)
        except AttributeError:
            raise Skip
    try:
        out = f(*args, **kwargs)
    except Exception as e:
        return dict(state, **failure(e), **({'at': 'forward'} if 'ctor' in r else {}))
    contents = []
    state['out'] = encode(out, contents)
    if 'ctor' not in r and any(contents) and not open_contents(r['args']) and not open_contents(r.get('kwargs', {})):
        state['ov'] = contents
    return state


def both(r):
    a, b = once(r, 0), once(r, 1)
    if ('error' in a) != ('error' in b) or a.get('out') != b.get('out'):
        raise Skip
    if a.get('ov') != b.get('ov'):
        del a['ov']  # random numbers
    return dict(r, **a)


def on_alarm(signum, frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, on_alarm)
for line in sys.stdin:
    signal.alarm(3)
    try:
        print(json.dumps(both(json.loads(line)), separators=(',', ':')), flush=True)
    except Exception:
        print('{}', flush=True)
    signal.alarm(0)
