#!/usr/bin/env python3
"""record_runs.py: what Chainer 7.8.1 computes for the programs of runs/ at two sizes -> runs/NAME.npz (save_npz, where it has parameters) and runs.npz.

A program's first lines say how it is run: `entry`, `arg` (one a line, as for shapecheck; N is a size) and `N`, the sizes. The program is evaluated
(chainer.config.train is False) with running statistics other than 0 and 1. runs.npz has, for each size, the inputs `NAME.SIZE.ARG` and the results
`NAME.SIZE.out0` ...; those of an argument that is a list are `ARG_0` ....
"""
import glob, importlib.util, os, re, sys, warnings
warnings.simplefilter('ignore')
import numpy as np
import chainer
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '../../tools'))
import txtar
TYPES = {'f32': 'f4', 'i32': 'i4', 'i64': 'i8'}
TYPE = re.compile(r'\b([fi]\d+)\[([\w,]*)\]')


def header(path):
    h = {'arg': []}
    for line in open(path):
        if not line.startswith('#'):
            break
        k, _, v = line[1:].strip().partition(':')
        h['arg'].append(v.strip()) if k == 'arg' else h.update({k: v.strip()})
    return h


def inputs(args, size, rs):
    values, arrays = {}, {}

    def make(name, t):
        dims = [size if d == 'N' else int(d) for d in t.group(2).split(',') if d]
        kind = TYPES[t.group(1)]
        arrays[name] = np.array(rs.randn(*dims), kind) if kind[0] == 'f' else rs.randint(0, 3, dims).astype(kind)
        return arrays[name]
    for a in args:
        name = re.match(r'\w+', a).group(0)
        types = list(TYPE.finditer(a))
        if a[len(name)] == ':':
            values[name] = make(name, types[0])
        else:
            values[name] = [make('%s_%d' % (name, i), t) for i, t in enumerate(types)] if types else eval(a.partition('=')[2])
    return values, arrays


def flat(y):
    if isinstance(y, chainer.Variable):
        return [y.array]
    if isinstance(y, (np.ndarray, np.generic, int, float)):
        return [np.asarray(y)]
    return [v for x in y for v in flat(x)]


def call(link, values):
    return link(*values.values()) if isinstance(link, chainer.Sequential) else link(**values)


def main():
    with txtar.unpacked(os.path.join(HERE, 'runs')) as folder:
        record(sorted(glob.glob(os.path.join(folder, '*.py'))))


def record(paths):
    data = {}
    for path in paths:
        name, h = os.path.basename(path)[:-3], header(path)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        np.random.seed(16)
        rs = np.random.RandomState(16)
        sizes = [int(n) for n in h['N'].split(',')]
        with chainer.using_config('train', False):
            build = lambda: eval(h['entry'], dict(vars(module)))
            link = build()
            call(link, inputs(h['arg'], sizes[0], rs)[0])
            for part in link.links():
                for k in ('avg_mean', 'avg_var'):
                    v = getattr(part, k, None)
                    if v is not None:
                        v[...] = rs.rand(*v.shape) + 0.5
            weights = os.path.join(HERE, 'runs', name + '.npz')
            saves = any(True for _ in link.params())
            if saves:
                chainer.serializers.save_npz(weights, link)
            for size in sizes:
                link = build()
                if saves:
                    chainer.serializers.load_npz(weights, link)
                values, arrays = inputs(h['arg'], size, rs)
                for k, v in arrays.items():
                    data['%s.%d.%s' % (name, size, k)] = v.copy()
                for i, v in enumerate(flat(call(link, values))):
                    data['%s.%d.out%d' % (name, size, i)] = v
    np.savez_compressed(os.path.join(HERE, 'runs.npz'), **data)


main()
