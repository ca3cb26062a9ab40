# The Python part of weakref. References are strong, since nothing is freed.


class ref:
    def __init__(self, object, callback=None):
        self._object = object

    def __call__(self):
        return self._object

    def __eq__(self, other):
        return isinstance(other, ref) and self._object == other._object

    def __hash__(self):
        return hash(self._object)


ReferenceType = ref


class WeakMethod(ref):
    pass


class WeakKeyDictionary(dict):
    pass


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    pass


class finalize:
    def __init__(self, obj, func, /, *args, **kwargs):
        self.alive = True

    def __call__(self):
        pass

    def detach(self):
        pass
