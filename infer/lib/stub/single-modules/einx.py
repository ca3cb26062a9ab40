# einx: functions on elements of tensors whose axes have names, and sums over axes. What else it has is unknown.
import torch as _torch
from einops import rearrange as _rearrange
from _shapecheck import unknown as _unknown


def _axes(text):
    return text.split()


def _sized(desc, x, names, sizes):
    if '...' in names:
        at = names.index('...')
        names = names[:at] + ['...%d' % i for i in range(x.ndim - len(names) + 1, 0, -1)] + names[at + 1:]
    if x.ndim != len(names):
        raise ValueError(f'einx: {desc}: the tensor of shape {tuple(x.shape)} has another number of axes than {names}')
    for name, n in zip(names, x.shape):
        want = sizes.setdefault(name, n) if name != '1' else 1
        if n != want:
            raise ValueError(f'einx: {desc}: axis {name} is {n} and {want}')
    return names


def _tensor(x):
    return x if isinstance(x, _torch.Tensor) else _torch.tensor(x)


def _plain(desc):
    return '[' not in desc and '(' not in desc.partition('->')[0]


def _elementwise(op):
    def f(desc, *tensors, **given):
        if not _plain(desc):
            return _unknown('einx with such axes is not modelled')
        left, arrow, out = desc.partition('->')
        texts = left.split(',')
        if len(texts) != len(tensors):
            raise ValueError(f'einx: {desc}: {len(tensors)} tensors')
        tensors, sizes = [_tensor(x) for x in tensors], dict(given)
        names = [_sized(desc, x, _axes(t), sizes) for x, t in zip(tensors, texts)]
        if not arrow:
            most = sorted(names, key=len)[-1]
            if any(n not in most for one in names for n in one):
                raise ValueError(f'einx: {desc}: no input has all axes')
            out = ' '.join(n for n in most if not n.startswith('...'))
            flat = most
        else:
            flat = out.replace('(', ' ').replace(')', ' ').split()
            if '...' in flat:
                at = flat.index('...')
                flat = flat[:at] + [n for n in sizes if n.startswith('...')] + flat[at + 1:]
        known = [n for n in flat if n != '1']
        parts = []
        for x, own in zip(tensors, names):
            kept = [n for n in own if n != '1']
            x = x.reshape([sizes[n] for n in kept]).permute([kept.index(n) for n in known if n in kept])
            parts.append(x.reshape([1 if n not in kept else sizes[n] for n in flat]))
        y = op(*parts)
        y = y.expand([1 if n == '1' else sizes[n] for n in flat])
        if '(' not in out:
            return y
        return _rearrange(y, ' '.join('u%d' % i if n == '1' else n for i, n in enumerate(flat)) + ' -> ' + out)
    return f


def _folded(op):
    def fold(*parts):
        y = parts[0]
        for x in parts[1:]:
            y = op(y, x)
        return y
    return fold


add, subtract, multiply = (_elementwise(_folded(op)) for op in (_torch.add, _torch.subtract, _torch.multiply))
divide = true_divide = _elementwise(_folded(_torch.true_divide))
floor_divide, remainder = _elementwise(_folded(_torch.floor_divide)), _elementwise(_folded(_torch.remainder))
logical_and, logical_or = _elementwise(_folded(_torch.logical_and)), _elementwise(_folded(_torch.logical_or))
maximum, minimum = _elementwise(_folded(_torch.maximum)), _elementwise(_folded(_torch.minimum))
less, less_equal, greater, greater_equal, equal, not_equal = (
    _elementwise(op) for op in (_torch.less, _torch.less_equal, _torch.greater, _torch.greater_equal, _torch.eq, _torch.not_equal))
where = _elementwise(_torch.where)


def _reduction(op):
    def f(desc, x, **given):
        if not _plain(desc) or '->' not in desc:
            return _unknown('einx with such axes is not modelled')
        left, _, out = desc.partition('->')
        sizes = dict(given)
        names = _sized(desc, x, _axes(left), sizes)
        kept = []
        for n in _axes(out):
            kept += [n] if n != '...' else [m for m in names if m.startswith('...')]
        if any(n not in names for n in kept):
            return _unknown('einx with such axes is not modelled')
        gone = [i for i, n in enumerate(names) if n not in kept]
        if gone:
            x = op(x, gone)
        rest = [n for n in names if n in kept]
        return x.permute([rest.index(n) for n in kept])
    return f


sum, mean, max, min = (_reduction(op) for op in (_torch.sum, _torch.mean, _torch.amax, _torch.amin))
