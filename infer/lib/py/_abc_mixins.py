# The mixin methods of collections.abc, as functions <class>_<method>.


def Iterator___iter__(self):
    return self


def Sequence___iter__(self):
    i = 0
    try:
        while True:
            v = self[i]
            yield v
            i += 1
    except IndexError:
        return


def Sequence___contains__(self, value):
    for v in self:
        if v is value or v == value:
            return True
    return False


def Sequence___reversed__(self):
    for i in reversed(range(len(self))):
        yield self[i]


def Sequence_index(self, value, start=0, stop=None):
    n = len(self)
    if start < 0:
        start = max(n + start, 0)
    if stop is None:
        stop = n
    elif stop < 0:
        stop += n
    for i in range(start, min(stop, n)):
        v = self[i]
        if v is value or v == value:
            return i
    raise ValueError


def Sequence_count(self, value):
    return sum(1 for v in self if v is value or v == value)


def MutableSequence_append(self, value):
    self.insert(len(self), value)


def MutableSequence_clear(self):
    try:
        while True:
            self.pop()
    except IndexError:
        pass


def MutableSequence_reverse(self):
    n = len(self)
    for i in range(n // 2):
        self[i], self[n - i - 1] = self[n - i - 1], self[i]


def MutableSequence_extend(self, values):
    for v in list(values):
        self.append(v)


def MutableSequence_pop(self, index=-1):
    v = self[index]
    del self[index]
    return v


def MutableSequence_remove(self, value):
    del self[self.index(value)]


def MutableSequence___iadd__(self, values):
    self.extend(values)
    return self


def Mapping_get(self, key, default=None):
    try:
        return self[key]
    except KeyError:
        return default


def Mapping___contains__(self, key):
    try:
        self[key]
    except KeyError:
        return False
    return True


def Mapping_keys(self):
    return dict.fromkeys(iter(self)).keys()


def Mapping_items(self):
    return {k: self[k] for k in self}.items()


def Mapping_values(self):
    return {k: self[k] for k in self}.values()


def Mapping___eq__(self, other):
    from _collections_abc import Mapping
    if not isinstance(other, Mapping):
        return NotImplemented
    return dict(self.items()) == dict(other.items())


_missing = object()


def MutableMapping_pop(self, key, default=_missing):
    try:
        value = self[key]
    except KeyError:
        if default is _missing:
            raise
        return default
    del self[key]
    return value


def MutableMapping_popitem(self):
    for key in self:
        value = self[key]
        del self[key]
        return key, value
    raise KeyError


def MutableMapping_clear(self):
    for key in list(self):
        del self[key]


def MutableMapping_update(self, other=(), /, **kwds):
    if hasattr(other, 'keys'):
        for key in other.keys():
            self[key] = other[key]
    else:
        for key, value in other:
            self[key] = value
    for key, value in kwds.items():
        self[key] = value


def MutableMapping_setdefault(self, key, default=None):
    try:
        return self[key]
    except KeyError:
        self[key] = default
    return default


def _from_iterable(self, it):
    make = getattr(self, '_from_iterable', None)
    return make(it) if make is not None else type(self)(it)


def Set___le__(self, other):
    return len(self) <= len(other) and all(e in other for e in self)


def Set___lt__(self, other):
    return len(self) < len(other) and all(e in other for e in self)


def Set___ge__(self, other):
    return len(self) >= len(other) and all(e in self for e in other)


def Set___gt__(self, other):
    return len(self) > len(other) and all(e in self for e in other)


def Set___eq__(self, other):
    return len(self) == len(other) and all(e in other for e in self)


def Set___and__(self, other):
    return _from_iterable(self, [e for e in other if e in self])


def Set___or__(self, other):
    return _from_iterable(self, [e for s in (self, other) for e in s])


def Set___sub__(self, other):
    return _from_iterable(self, [e for e in self if e not in other])


def Set___xor__(self, other):
    return _from_iterable(self, [e for e in self if e not in other] + [e for e in other if e not in self])


def Set_isdisjoint(self, other):
    return not any(e in self for e in other)


def MutableSet_remove(self, value):
    if value not in self:
        raise KeyError(value)
    self.discard(value)


def MutableSet_pop(self):
    for value in self:
        self.discard(value)
        return value
    raise KeyError


def MutableSet_clear(self):
    for value in list(self):
        self.discard(value)


def MutableSet___ior__(self, it):
    for value in it:
        self.add(value)
    return self


def MutableSet___iand__(self, it):
    for value in [e for e in self if e not in it]:
        self.discard(value)
    return self


def MutableSet___isub__(self, it):
    for value in list(it):
        self.discard(value)
    return self
