# The module distutils.version.


class Version:
    def __init__(self, vstring=None):
        self.vstring = vstring
        parts = []
        for piece in vstring.replace('+', '.').replace('-', '.').split('.'):
            digits = ''
            for c in piece:
                if not c.isdigit():
                    break
                digits += c
            if digits:
                parts.append(int(digits))
            if piece[len(digits):]:
                parts.append(piece[len(digits):])
        self.version = parts

    def __str__(self):
        return self.vstring

    def _other(self, other):
        return Version(other).version if isinstance(other, str) else other.version

    def __eq__(self, other):
        return self.version == self._other(other)

    def __lt__(self, other):
        return self.version < self._other(other)

    def __le__(self, other):
        return self.version <= self._other(other)

    def __gt__(self, other):
        return self.version > self._other(other)

    def __ge__(self, other):
        return self.version >= self._other(other)


LooseVersion = StrictVersion = Version
