# The Python part of importlib.metadata: which distributions provide a module is looked
# up for the names that a program asks for.


class _Packages(dict):
    def __missing__(self, name):
        found = _distributions(name)
        if not found:
            raise KeyError(name)
        self[name] = found
        return found

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name):
        return self.get(name) is not None


def packages_distributions():
    return _Packages()
