#!/usr/bin/env python3
"""record.py: what the programs of this folder give with Chainer 7.8.1 and NumPy 1.23.5 -> results.jsonl. Both are in programs.txtar.

A program's first lines say how it is run: `entry`, an expression, and `arg`, one a line, as for shapecheck. chainer.config.train is True,
as Chainer starts. A line has the result as the records of calls have it ({"t": dtype, "s": sizes} is a Variable, {"np": ..} an array), or
the error with its line in the program; the calls of links with their results, and the parameters after the run.
"""
import glob, importlib.util, json, os, re, sys, traceback, warnings
warnings.simplefilter('ignore')
import numpy as np
import chainer
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../../../tools'))
import txtar
SHORT = {'float16': 'f16', 'float32': 'f32', 'float64': 'f64', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int64': 'i64', 'uint8': 'u8',
         'uint16': 'u16', 'uint32': 'u32', 'uint64': 'u64', 'bool': 'bool', 'complex64': 'c64', 'complex128': 'c128'}
LONG = {v: k for k, v in SHORT.items()}
TYPE = re.compile(r'\b([fiu]\d+|bool|c\d+)\[([\d,]*)\]')


def array(d, sizes):
    shape = [int(n) for n in sizes.split(',') if n]
    return np.random.rand(*shape).astype(LONG[d]) if d[0] in 'fc' else np.random.randint(0, 3, shape).astype(LONG[d])


def inputs(args):
    values = {}
    for a in args:
        name = re.match(r'\w+', a).group(0)
        text = TYPE.sub(lambda m: 'array(%r, %r)' % m.groups(), a[len(name) + 1:])
        values[name] = eval(text, {'array': array, 'np': np, 'chainer': chainer})
    return values


def typed(kind, v):
    return {kind: SHORT.get(v.dtype.name, v.dtype.name), 's': list(v.shape)}


def spec(v):
    if isinstance(v, chainer.Variable):
        return {'uninitialized': 1} if v.array is None else typed('t', v)
    if isinstance(v, np.ndarray):
        return typed('np', v)
    if isinstance(v, np.generic):
        return {'npscalar': SHORT[v.dtype.name]}
    if isinstance(v, tuple):
        return {'tuple': [spec(x) for x in v]}
    if isinstance(v, list):
        return [spec(x) for x in v]
    if isinstance(v, dict):
        return {'dict': {str(k): spec(x) for k, x in v.items()}}
    if isinstance(v, float):
        return {'float': repr(v)}
    if v is None or isinstance(v, (bool, int, str)):
        return v
    if isinstance(v, np.dtype):
        return {'dtype': SHORT[v.name]}
    return {'obj': type(v).__name__}


def run(path):
    args, entry = [], None
    for line in open(path):
        if not line.startswith('#'):
            break
        key, _, rest = line[1:].strip().partition(':')
        args += [rest.strip()] if key == 'arg' else []
        entry = rest.strip() if key == 'entry' else entry
    name = os.path.basename(path)[:-3]
    row = {'file': name, 'entry': entry, 'args': args}
    module_spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    chainer.global_config.train = True
    np.random.seed(16)
    calls, names, link = [], {}, None
    plain = chainer.Link.__call__

    def call(self, *a, **k):
        i = len(calls)
        calls.append(None)
        try:
            y = plain(self, *a, **k)
        except Exception:
            calls[i] = [names.get(id(self), '?')]
            raise
        calls[i] = [names.get(id(self), '?'), spec(y)]
        return y
    try:
        module_spec.loader.exec_module(module)
        f = eval(entry, dict(vars(module)))
        if isinstance(f, chainer.Link):
            link = f
            for path_, part in link.namedlinks():
                names[id(part)] = path_
        chainer.Link.__call__ = call
        values = inputs(args)
        row['out'] = spec(f(*values.values()))
    except Exception as e:
        row['error'] = '%s: %s' % (type(e).__name__, ' | '.join(s for s in str(e).split('\n') if s))
        for at in traceback.extract_tb(e.__traceback__):
            if at.filename == path:
                row['line'] = at.lineno
    finally:
        chainer.Link.__call__ = plain
    if link is not None:
        row['calls'] = [c for c in calls if c[0] != '?']
        row['params'] = {n: spec(p) for n, p in sorted(link.namedparams())}
    return row


def main():
    archive, rows = os.path.join(HERE, txtar.ARCHIVE), []
    with txtar.unpacked(HERE) as folder, open(os.devnull, 'w') as null:
        for path in sorted(glob.glob(os.path.join(folder, '*.py'))):
            if os.path.basename(path) != 'record.py':
                out, sys.stdout = sys.stdout, null
                try:
                    row = run(path)
                finally:
                    sys.stdout = out
                rows.append(json.dumps(row) + '\n')
    comment, files = txtar.read(archive)
    files['results.jsonl'] = ''.join(rows).encode()
    txtar.write(archive, files, comment)


if __name__ == '__main__':
    main()
