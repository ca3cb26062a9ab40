# This file defines Sequential: links and functions that are called one after another.
import copy
from .link import Link, _Numbered


class Sequential(_Numbered):
    def __init__(self, *layers):
        super().__init__()
        for layer in layers:
            self.append(layer)

    def _inside(self):
        # Chainer puts a link that is appended behind the first one, at the place that this has among all layers, plus one: of three in a
        # row the last is number 1. After insertions and deletions its numbers depend on their history; these are as if all were appended.
        links, first = [], 0
        for i, layer in enumerate(self._children):
            if isinstance(layer, Link):
                links.insert(first + 1 if i else 0, layer)
                if len(links) == 1:
                    first = i
        return [(str(i), link) for i, link in enumerate(links)]

    def _checked(self, layer):
        if layer is self:
            raise ValueError('a Sequential cannot be inside itself')
        if not callable(layer):
            raise ValueError('All elements of a Sequential class should be callable, but given %s is not callable.' % (layer,))
        return layer

    def __getitem__(self, index):
        return self._children[index]

    def __setitem__(self, index, layer):
        self._children[index] = self._checked(layer)
        self._renumber()

    def __delitem__(self, index):
        del self._children[index]
        self._renumber()

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError('add (+) operator supports only objects of Sequential class, but %s is given.' % type(other))
        return Sequential(*self._children, *other._children)

    def __iadd__(self, other):
        for layer in other:
            self.append(layer)
        return self

    def append(self, layer):
        self._children.append(self._checked(layer))
        self._renumber()

    def insert(self, index, layer):
        self._children.insert(index, self._checked(layer))
        self._renumber()

    def extend(self, layers):
        for layer in layers:
            self.append(layer)

    def pop(self, index=-1):
        layer = self._children.pop(index)
        self._renumber()
        return layer

    def remove(self, layer):
        self._children.remove(layer)
        self._renumber()

    def remove_by_layer_type(self, type_name):
        self.__dict__['_children'] = [x for x in self._children if not (getattr(x, '__name__', None) == type_name or type(x).__name__ == type_name)]
        self._renumber()

    def clear(self):
        self._children.clear()
        self._renumber()

    def reverse(self):
        self._children.reverse()
        self._renumber()

    def index(self, layer, start=0, end=None):
        return self._children[start:end].index(layer)

    def count(self, layer):
        return self._children.count(layer)

    def count_by_layer_type(self, type_name):
        return len([x for x in self._children if getattr(x, '__name__', None) == type_name or type(x).__name__ == type_name])

    def flatten(self):
        out = []
        for layer in self._children:
            if isinstance(layer, Sequential):
                out += list(layer.flatten())
            else:
                out.append(layer)
        return Sequential(*out)

    def copy(self, mode='share'):
        return Sequential(*[layer.copy(mode) if isinstance(layer, Link) else copy.copy(layer) for layer in self._children])

    def forward(self, *x):
        if not self._children:
            raise RuntimeError('Sequential does not have any layer.')
        for layer in self._children:
            if isinstance(x, tuple):
                x = layer(*x)
            else:
                x = layer(x)
        return x

    def copyparams(self, link, copy_persistent=True):
        if not isinstance(link, Sequential):
            raise ValueError('Objects other than Sequential object cannot be copied to a Sequential object.')
        for i, mine in enumerate(self._children):
            if isinstance(mine, Link):
                mine.copyparams(link[i])
