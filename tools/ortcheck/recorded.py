# This file records what models compute in PyTorch, and answers from such a record without
# PyTorch: a request per line on standard input, as model.py takes them. A record has no
# weights and no arguments: both come from numpy.random.RandomState, whose numbers never
# change, by the name of the parameter and the number of the run.
import base64
import json
import sys
import zlib

import numpy as np

NAMES = {'u8': np.uint8, 'i8': np.int8, 'i16': np.int16, 'i32': np.int32, 'i64': np.int64, 'bool': np.bool_, 'f16': np.float16, 'f32': np.float32, 'f64': np.float64}
BACK = {np.dtype(v): k for k, v in NAMES.items()}


def argument(spec, rng):
    d = NAMES[spec['t']]
    if 'v' in spec:
        return np.array(spec['v'], d)
    if d == np.bool_:
        return rng.random_sample(spec['s']) > 0.5
    if np.issubdtype(d, np.integer):
        return rng.randint(0, spec.get('below', 5), spec['s']).astype(d)
    return np.asarray(rng.standard_normal(spec['s'])).astype(d)


def weight(name, shape, d):
    x = np.asarray(np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape)) * 0.1
    return np.asarray(abs(x) + 0.5 if name.endswith('running_var') else x, d)


def pack(a):
    return {'t': BACK[a.dtype], 's': list(a.shape), 'b': base64.b64encode(a.tobytes()).decode()}


def unpack(r):
    return np.frombuffer(base64.b64decode(r['b']), NAMES[r['t']]).reshape(r['s'])


class Recorder:
    """Gives a model its weights, and writes what it computes: a line for each model."""

    def __init__(self, path):
        self.path, self.lines, self.line = path, [], None

    def model(self, req, state):
        import torch
        state, names, self.line = list(state), {}, {'model': req['model'], 'train': req['train'], 'state': [], 'runs': []}
        for name, t in state:
            first = names.setdefault((t.data_ptr(), t.shape), name)
            row = {'name': name, 't': BACK[t.numpy().dtype], 's': list(t.shape)}
            if t.is_floating_point():
                row['as'] = first
                with torch.no_grad():
                    t.copy_(torch.from_numpy(weight(first, tuple(t.shape), NAMES[row['t']])))
            else:
                row['b'] = pack(t.numpy())['b']
            self.line['state'].append(row)

    def arguments(self, req):
        import torch
        rng = np.random.RandomState(req['seed'])
        return [torch.from_numpy(argument(s, rng)) for s in req['tensors']]

    def run(self, req, out):
        self.line['runs'].append({'call': req['call'], 'method': req['method'], 'seed': req['seed'],
                                  'out': [None if t is None else pack(t.detach().contiguous().numpy()) for t in out]})
        if len(self.line['runs']) == 1:
            self.lines.append(self.line)
        with open(self.path, 'w') as f:
            f.writelines(json.dumps(line) + '\n' for line in self.lines)


def write(arrays, path):
    out, at = [], 0
    with open(path, 'wb') as f:
        for name, a in arrays:
            if a is None:
                out.append({'name': name, 't': ''})
                continue
            b = a.tobytes()
            f.write(b)
            out.append({'name': name, 't': BACK[a.dtype], 's': list(a.shape), 'path': path, 'offset': at, 'size': len(b)})
            at += len(b)
    return out


def serve(req, records, current):
    if 'model' in req:
        current[:] = [records[req['model'], req['train']]]
        state = [(r['name'], unpack(r) if 'b' in r else weight(r['as'], tuple(r['s']), NAMES[r['t']])) for r in current[0]['state']]
        return {'out': write(state, req['file'] + '.state')}
    run = next(r for r in current[0]['runs'] if (r['call'], r['method'], r['seed']) == (req['call'], req['method'], req['seed']))
    rng = np.random.RandomState(req['seed'])
    given = write([('', argument(s, rng)) for s in req['tensors']], req['file'] + '.in')
    return {'in': given, 'out': write([('', None if r is None else unpack(r)) for r in run['out']], req['file'] + '.out')}


def main():
    import gzip
    with (gzip.open if sys.argv[1].endswith('.gz') else open)(sys.argv[1], 'rt') as f:
        records = {(r['model'], r['train']): r for r in map(json.loads, f)}
    current = []
    for line in sys.stdin:
        try:
            answer = serve(json.loads(line), records, current)
        except Exception as e:
            answer = {'error': '%s: %s' % (type(e).__name__, str(e)[:300])}
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
