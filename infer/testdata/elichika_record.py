"""Runs the programs of a file, elichika.txtar in Chainer or elichika_torch.txtar in PyTorch, and checks their last line, what they give; with --write, writes it."""
import sys

import numpy as np

PATH = sys.argv[1]
if PATH == 'elichika_torch.txtar':
    import torch
    IMPORTS = 'import numpy as np\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F\n'
else:
    torch = None
    IMPORTS = 'import numpy as np\nimport chainer\nimport chainer.functions as F\nimport chainer.links as L\n'
CODES = {'float32': 'f32', 'float64': 'f64', 'float16': 'f16', 'int32': 'i32', 'int64': 'i64', 'int16': 'i16', 'uint8': 'u8', 'uint16': 'u16', 'bool': 'bool'}


def argument(text):
    if '=' in text:
        return eval(text.split('=', 1)[1])
    kind = text.split(':')[1]
    dtype = {c: d for d, c in CODES.items()}[kind[:kind.index('[')]]
    shape = tuple(int(n) for n in kind[kind.index('[') + 1:-1].split(','))
    return torch.from_numpy(np.zeros(shape, dtype)) if torch else np.zeros(shape, dtype)


def key(k):
    return '"%s"' % k if isinstance(k, str) else text(k) if isinstance(k, bool) else str(k)


def text(v):
    if type(v).__name__ in ('Variable', 'Parameter'):
        v = v.array
    if torch and isinstance(v, torch.Tensor):
        v = v.detach().numpy()
    if isinstance(v, np.generic):  # a number, as ours prints it
        return {'f': 'float', 'i': 'int', 'u': 'int', 'b': 'bool'}[v.dtype.kind]
    if isinstance(v, np.ndarray):
        return CODES[str(v.dtype)] + '[' + ','.join(map(str, v.shape)) + ']'
    if isinstance(v, list):
        return '[' + ', '.join(map(text, v)) + ']'
    if isinstance(v, tuple):
        return '(' + ', '.join(map(text, v)) + (',)' if len(v) == 1 else ')')
    if isinstance(v, dict):
        return '{' + ', '.join(key(k) + ': ' + text(e) for k, e in v.items()) + '}'
    return 'None' if v is None else '%s=%r' % (type(v).__name__, v)


def run(source):
    env = {'__name__': 'net'}
    exec(IMPORTS + source, env)
    entry, *args = source.split('\n', 1)[0].split()[1:]
    return text(eval(entry, env)(*map(argument, args)))


parts = open(PATH).read().split('\n-- ')
out, bad = parts[:1], 0
for part in parts[1:]:
    name, source = part.split(' --\n', 1)
    body = source.rstrip('\n').split('\n')
    want = body.pop() if body[-1].startswith('# want: ') else ''
    got = '# want: ' + run('\n'.join(body) + '\n')
    bad += want != got
    if want != got and '--write' not in sys.argv:
        print(name, got, sep='\n  ')
    out.append(name + ' --\n' + '\n'.join(body + [got]))
if '--write' in sys.argv:
    open(PATH, 'w').write('\n-- '.join(out) + '\n')
elif bad:
    sys.exit('%d programs differ' % bad)
