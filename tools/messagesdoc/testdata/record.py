# Runs the programs of cases.txtar with PyTorch and records what it says of each
# in torch.json: python3 record.py. Free sizes get the values below.
import json
import os
import re
import shlex

import torch

SIZES = {'B': 2, 'T': 7}
DTYPES = {'f16': torch.float16, 'f32': torch.float32, 'i32': torch.int32, 'i64': torch.int64}


def tensor(text):
    dtype, dims = re.fullmatch(r'(\w+)\[(.*)\]', text).groups()
    shape = [SIZES[d] if d in SIZES else int(d) for d in dims.split(',')]
    return torch.ones(shape, dtype=DTYPES[dtype])


def run(text):
    args = re.findall(r'--arg (\S+)', ' '.join(shlex.split(text.split('\n')[1])))
    scope = {'__name__': 'case'}
    try:
        exec(compile(text, 'case.py', 'exec'), scope)
        entry = scope.get('forward')
        if entry is None:
            entry = [v for v in scope.values() if isinstance(v, type) and v.__module__ == 'case'][0]()
        entry(**{a.split(':', 1)[0]: tensor(a.split(':', 1)[1]) for a in args})
    except Exception as e:
        return type(e).__name__ + ': ' + str(e)
    return None


here = os.path.dirname(os.path.abspath(__file__))
parts = re.split(r'^-- (.*) --\n', open(os.path.join(here, 'cases.txtar')).read(), flags=re.M)[1:]
out = {'version': torch.__version__, 'messages': {n: run(t) for n, t in zip(parts[::2], parts[1::2])}}
with open(os.path.join(here, 'torch.json'), 'w') as f:
    json.dump(out, f, indent=1)
    f.write('\n')
