# This file defines Flatten and Unflatten.
from .module import Module


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f'start_dim={self.start_dim}, end_dim={self.end_dim}'


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        if isinstance(dim, int):
            self._require(unflattened_size, (tuple, list), int, 'ints')
        elif isinstance(dim, str):
            self._require(unflattened_size, tuple, tuple, 'tuples')
        else:
            raise TypeError('invalid argument type for dim parameter')
        self.dim = dim
        self.unflattened_size = unflattened_size

    def _require(self, input, outer, inner, what):
        if not isinstance(input, outer):
            raise TypeError(f'unflattened_size must be a tuple of {what}, but found type {type(input).__name__}')
        for idx, elem in enumerate(input):
            if not isinstance(elem, inner):
                raise TypeError(f'unflattened_size must be tuple of {what}, but found element of type '
                                f'{type(elem).__name__} at pos {idx}')

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f'dim={self.dim}, unflattened_size={self.unflattened_size}'
