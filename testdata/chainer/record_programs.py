#!/usr/bin/env python3
"""record_programs.py FOLDER...: what Chainer 7.8.1 computes for the programs of folders, at two sizes where it can -> programs.jsonl, programs.npz.

A program's first lines say how it is run, as in programs/ and in infer/testdata/chainer_programs. chainer.config.train is False, and running statistics are others
than 0 and 1. Sizes are those of the program, and then one larger in the first, the last or the second axis of its arrays. programs.jsonl has a
line for each program that returns: its name, file, entry and, for each size, its arguments. programs.npz has NAME/w/PARAMETER, NAME/SIZE/in/ARGUMENT
(those of an argument in lists: ARGUMENT_0_1 ...) and NAME/SIZE/out/NUMBER. Programs with many numbers are left out, and so are random ones.
"""
import contextlib, glob, importlib.util, json, os, re, sys, warnings
warnings.simplefilter('ignore')
import numpy as np
import chainer
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../../tools'))
import txtar
TYPES = {'f16': 'f2', 'f32': 'f4', 'f64': 'f8', 'i8': 'i1', 'i32': 'i4', 'i64': 'i8', 'u8': 'u1', 'bool': '?'}
TYPE = re.compile(r'\b(f16|f32|f64|i8|i32|i64|u8|bool)\[([\d,]*)\]')
LIMIT = 20000  # numbers of a program


def header(path):
    h = {'arg': []}
    for line in open(path):
        if not line.startswith('#'):
            break
        k, _, v = line[1:].strip().partition(':')
        h['arg'].append(v.strip()) if k == 'arg' else h.update({k: v.strip()})
    return h


def larger(args, axis):
    def one(m):
        d = [int(n) for n in m.group(2).split(',') if n]
        if len(d) > abs(axis):
            d[axis] += 1
        return '%s[%s]' % (m.group(1), ','.join(map(str, d)))
    return [TYPE.sub(one, a) for a in args]


class Mark(str):
    pass


def inputs(args, rs):
    values, arrays = {}, {}

    def place(v, name):
        if isinstance(v, Mark):
            kind, sizes = TYPE.fullmatch(v).groups()
            d = [int(n) for n in sizes.split(',') if n]
            arrays[name] = np.array(rs.randn(*d), TYPES[kind]) if kind[0] == 'f' else rs.randint(0, 3, d).astype(TYPES[kind])
            return arrays[name].copy()
        if isinstance(v, (list, tuple)):
            return type(v)(place(x, '%s_%d' % (name, i)) for i, x in enumerate(v))
        if isinstance(v, dict):
            return {k: place(x, '%s_%s' % (name, k)) for k, x in v.items()}
        return v
    for a in args:
        name = re.match(r'\w+', a).group(0)
        text = TYPE.sub(lambda m: 'M(%r)' % m.group(0), a[len(name) + 1:])
        values[name] = place(eval(text, {'M': Mark, 'np': np, 'chainer': chainer}), name)
    return values, arrays


def flat(y):
    if isinstance(y, chainer.Variable):
        return [y.array]
    if isinstance(y, (np.ndarray, np.generic, int, float)):
        return [np.asarray(y)]
    if isinstance(y, dict):
        y = y.values()
    return [] if y is None or isinstance(y, str) else [v for x in y for v in flat(x)]


def run(path, h, args, weights, seed=5):
    spec = importlib.util.spec_from_file_location('program', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.random.seed(16)
    link = eval(h['entry'], dict(vars(module)))
    call = (lambda v: link(*v.values())) if isinstance(link, chainer.Sequential) else (lambda v: link(**v))
    if not isinstance(link, chainer.Link) and re.search(r'\bL\.[A-Z]', open(path).read()):
        raise ValueError('parameters that are not saved')
    if weights is None and isinstance(link, chainer.Link):
        rs = np.random.RandomState(16)
        call(inputs(args, rs)[0])
        for part in link.links():
            for k in ('avg_mean', 'avg_var'):
                v = getattr(part, k, None)
                if isinstance(v, np.ndarray):
                    v[...] = rs.rand(*v.shape) + 0.5
        chainer.serializers.save_npz('/tmp/program.npz', link)
        return dict(np.load('/tmp/program.npz'))
    if weights:
        np.savez('/tmp/program.npz', **weights)
        chainer.serializers.load_npz('/tmp/program.npz', link)
    values, arrays = inputs(args, np.random.RandomState(7))
    np.random.seed(seed)
    return arrays, flat(call(values))


def main():
    with contextlib.ExitStack() as stack:  # the programs are in archives
        folders = [(folder, str(stack.enter_context(txtar.unpacked(folder)))) for folder in sys.argv[1:]]
        record([(p, os.path.join(folder, os.path.basename(p))) for folder, at in folders for p in sorted(glob.glob(os.path.join(at, '*.py')))])


def record(programs):
    data, lines = {}, []
    for path, file in programs:
        name, h = os.path.basename(path)[:-3], header(path)
        if 'entry' not in h or not h.get('expect', 'ok').startswith('ok'):
            continue
        line = {'name': name, 'file': os.path.relpath(file, HERE), 'entry': h['entry'], 'sizes': []}
        mine, weights = {}, None
        chainer.config.train = False
        try:
            weights = run(path, h, h['arg'], None)
            weights = weights if isinstance(weights, dict) else {}
        except Exception:
            continue
        for axis in (None, 0, -1, 1):
            args = h['arg'] if axis is None else larger(h['arg'], axis)
            if len(line['sizes']) == 2 or axis is not None and args == h['arg']:
                continue
            try:
                arrays, out = run(path, h, args, weights)
                again = run(path, h, args, weights, seed=6)[1]
            except Exception:
                continue
            if any(a.shape != b.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind == 'f') for a, b in zip(out, again)):
                break  # it is random
            k = len(line['sizes'])
            mine.update({'%s/%d/in/%s' % (name, k, n): v for n, v in arrays.items()})
            mine.update({'%s/%d/out/%d' % (name, k, i): v for i, v in enumerate(out)})
            line['sizes'].append(args)
        mine.update({'%s/w/%s' % (name, k): v for k, v in weights.items()})
        if line['sizes'] and sum(v.size for v in mine.values()) <= LIMIT:
            lines.append(line)
            data.update(mine)
    with open(os.path.join(HERE, 'programs.jsonl'), 'w') as f:
        f.writelines(json.dumps(line) + '\n' for line in lines)
    np.savez_compressed(os.path.join(HERE, 'programs.npz'), **data)


main()
