# This file is torch.nested: tensors of different lengths, kept as their parts. A function of
# each part gives a nested tensor; what else functions of torch do with one is not known.
import _shapecheck
import torch


class NestedTensor:
    is_nested = True

    def __init__(self, parts, layout=torch.strided):
        self._parts = parts
        self.layout = layout

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return _shapecheck.unknown('a function of a nested tensor')

    def unbind(self, dim=0):
        return tuple(self._parts)

    def dim(self):
        return self._parts[0].dim() + 1

    ndim = property(dim)
    dtype = property(lambda self: self._parts[0].dtype)
    device = property(lambda self: self._parts[0].device)
    requires_grad = property(lambda self: any([p.requires_grad for p in self._parts]))

    def size(self, dim):
        if dim < 0:
            dim += self.dim()
        if dim == 0:
            return len(self._parts)
        first = self._parts[0].size(dim - 1)
        for p in self._parts:
            if p.size(dim - 1) != first:
                return _shapecheck.unknown('the size of a nested tensor where its parts differ')
        return first

    def values(self):
        return torch.cat(self._parts, _ragged(self._parts))

    def offsets(self):
        ends = [0]
        for p in self._parts:
            ends.append(ends[-1] + p.size(_ragged(self._parts)))
        return torch.tensor(ends)

    def to_padded_tensor(self, padding, output_size=None):
        rank = self.dim() - 1
        sizes = [max([p.size(i) for p in self._parts]) for i in range(rank)]
        if output_size is not None and self.layout == torch.jagged:  # which is padded or cut
            return torch._stand_in(torch.zeros(output_size, dtype=self.dtype), what='the elements of a nested tensor')
        if output_size is not None:
            if len(output_size) != rank + 1 or any([a < b for a, b in zip(output_size[1:], sizes)]):
                raise RuntimeError('Value in output_size is less than NestedTensor padded size. Truncation is not supported.')
            sizes = list(output_size[1:])
        padded = []
        for p in self._parts:
            pad = []
            for i in reversed(range(rank)):
                pad += [0, sizes[i] - p.size(i)]
            padded.append(torch.nn.functional.pad(p, pad, value=padding))
        return torch.stack(padded)

    def _each(self, fn):
        return NestedTensor([fn(p) for p in self._parts], self.layout)

    def sum(self, dim, keepdim=False):
        if isinstance(dim, int) and dim in (-1, self.dim() - 1):
            return self._each(lambda p: p.sum(-1, keepdim=keepdim))
        return _shapecheck.unknown('the sum of a nested tensor')

    def _with(self, other, op):
        if isinstance(other, NestedTensor):
            return NestedTensor([op(a, b) for a, b in zip(self._parts, other._parts)], self.layout)
        return self._each(lambda p: op(p, other))

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    __radd__ = __add__
    __rmul__ = __mul__

    def to(self, *args, **kwargs):
        return self._each(lambda p: p.to(*args, **kwargs))

    def float(self):
        return self._each(lambda p: p.float())

    def contiguous(self):
        return self

    def detach(self):
        return self._each(lambda p: p.detach())

    def clone(self):
        return self._each(lambda p: p.clone())

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown(f'{name} of a nested tensor')


# The dimensions in which parts differ, of which a jagged tensor has one at most.
def _differing(parts):
    return [i for i in range(parts[0].dim() if parts else 0) if any([p.size(i) != parts[0].size(i) for p in parts])]


def _ragged(parts):
    return (_differing(parts) or [0])[0]


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    parts = [torch.as_tensor(t, dtype=dtype, device=device) for t in tensor_list]
    if len({p.dim() for p in parts}) > 1:
        raise RuntimeError('All Tensors given to nested_tensor must have the same dimension.')
    if len({p.dtype for p in parts}) > 1:
        raise RuntimeError('All Tensors given to nested_tensor must have the same dtype.')
    if layout == torch.jagged:
        if len(_differing(parts)) > 1:
            raise RuntimeError('Cannot represent given tensor list as a nested tensor with the jagged layout: only one dimension may differ')
    return NestedTensor(parts, torch.strided if layout is None else layout)


def as_nested_tensor(ts, dtype=None, device=None, layout=None):
    if isinstance(ts, NestedTensor):
        return ts
    return nested_tensor(list(ts), dtype=dtype, device=device, layout=layout)


def nested_tensor_from_jagged(values, offsets=None, lengths=None, jagged_dim=None, min_seqlen=None, max_seqlen=None):
    if offsets is None and lengths is None:
        raise RuntimeError('At least one of offsets or lengths is required to construct a nested tensor')
    if offsets is None or jagged_dim not in (None, 1):
        return _shapecheck.unknown('a nested tensor that is made of lengths')
    ends = offsets.tolist()
    if _shapecheck.is_unknown(ends) or any([_shapecheck.is_unknown(e) or not isinstance(e, int) for e in ends]):
        return _shapecheck.unknown('a nested tensor whose offsets are not known')
    return NestedTensor([values[a:b] for a, b in zip(ends[:-1], ends[1:])], torch.jagged)


def to_padded_tensor(input, padding, output_size=None):
    return input.to_padded_tensor(padding, output_size)


def narrow(tensor, dim, start, length, layout=torch.strided):
    return _shapecheck.unknown('narrow of a nested tensor')


def masked_select(tensor, mask):
    return _shapecheck.unknown('a nested tensor that is made of a mask')
