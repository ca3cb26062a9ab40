"""record.py: runs the programs of cases.py in the installed PyTorch and writes programs.jsonl.gz and programs.bin.gz beside it,
in the form of testdata/numeric. `python3 record.py`; a case that stands where it was recorded with these inputs keeps its numbers,
`--all` records all anew. The numbers of the first 181 cases are of PyTorch 1.13, the others of 2.15."""
import gzip
import hashlib
import json
import pathlib
import sys

import numpy as np
import torch

import cases

HEAD = 'import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\n'
TYPES = {torch.float32: 'f32', torch.float64: 'f64', torch.int64: 'i64', torch.int32: 'i32', torch.uint8: 'u8', torch.bool: 'bool'}
DTYPES = {name: d for d, name in TYPES.items()}


def make(spec, seed):
    """The tensor of 'name:dtype[sizes]', of 'name:dtype[sizes]~LOW:HIGH', numbers between these, or of 'name=LIST'."""
    if '=' in spec:
        name, text = spec.split('=', 1)
        return name, torch.tensor(json.loads(text))
    head, _, span = spec.partition('~')
    name, rest = head.split(':')
    dtype, sizes = rest[:-1].split('[')
    shape = [int(s) for s in sizes.split(',') if s]
    low, high = map(float, span.split(':')) if span else (-3.0, 3.0)
    draw = np.random.RandomState(seed % 2**32).uniform(low, high, shape)
    return name, torch.tensor(np.floor(draw) if dtype[0] in 'iu' else np.round(draw * 64) / 64).to(DTYPES[dtype])


def flat(v):
    if isinstance(v, (list, tuple)):
        return [t for x in v for t in flat(x)]
    if isinstance(v, dict):
        return [t for x in v.values() for t in flat(x)]
    return [v if isinstance(v, torch.Tensor) else torch.tensor(v)]


def main():
    here = pathlib.Path(__file__).parent
    blob, places, lines, kept = bytearray(), {}, [], []
    if '--all' not in sys.argv:
        blob = bytearray(gzip.decompress((here / 'programs.bin.gz').read_bytes()))
        kept = [json.loads(line) for line in gzip.decompress((here / 'programs.jsonl.gz').read_bytes()).splitlines()]

    def same(record, op, src, made):
        """Whether the record is that of the program with these inputs."""
        return record['op'] == op and record['src'] == src and [i['n'] for i in record['in']] == [n for n, _ in made] and all(
            i['s'] == list(t.shape) and blob[i['o']:].startswith(t.numpy().tobytes()) for i, (_, t) in zip(record['in'], made))

    def put(t):
        t = t.detach().contiguous()
        raw = t.numpy().tobytes()
        if raw not in places:
            blob.extend(b'\0' * (-len(blob) % 8))
            places[raw] = len(blob)
            blob.extend(raw)
        return {'t': TYPES[t.dtype], 's': list(t.shape), 'o': places[raw]}

    torch.set_num_threads(1)
    for number, (op, src, *inputs) in enumerate(cases.CASES):
        src = src.strip('\n') + '\n'
        seed = int(hashlib.sha256((src + repr(inputs)).encode()).hexdigest()[:8], 16)
        made = [make(s, seed + i) for i, s in enumerate(inputs)]
        if number < len(kept) and same(kept[number], op, src, made):
            lines.append(json.dumps(kept[number]))
            continue
        scope = {}
        exec(HEAD + src, scope)
        record = {'id': 'programs-%04d' % number, 'op': op, 'src': src, 'in': [dict(n=n, **put(t)) for n, t in made]}
        call = scope.get('f')
        torch.manual_seed(seed)
        if call is None:
            call = scope['M']().eval()
            record['w'] = {n: put(t.clone()) for n, t in call.state_dict().items()}
        with torch.no_grad():
            record['out'] = [put(t) for t in flat(call(*[t.clone() for _, t in made]))]
        lines.append(json.dumps(record))
    for name, data in (('programs.jsonl.gz', '\n'.join(lines).encode() + b'\n'), ('programs.bin.gz', bytes(blob))):
        with open(here / name, 'wb') as f, gzip.GzipFile('', 'wb', mtime=0, fileobj=f) as z:
            z.write(data)


if __name__ == '__main__':
    main()
