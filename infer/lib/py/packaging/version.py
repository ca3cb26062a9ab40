# The module packaging.version: parsing and comparing of versions.
import re as _re

_PATTERN = _re.compile(
    r'^\s*v?(?:(?P<epoch>[0-9]+)!)?(?P<release>[0-9]+(?:\.[0-9]+)*)'
    r'(?:[-_.]?(?P<pre_l>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>[0-9]+)?)?'
    r'(?:-(?P<post_n1>[0-9]+)|[-_.]?(?P<post_l>post|rev|r)[-_.]?(?P<post_n2>[0-9]+)?)?'
    r'(?:[-_.]?(?P<dev_l>dev)[-_.]?(?P<dev_n>[0-9]+)?)?'
    r'(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$', _re.I)
_PRE = {'alpha': 'a', 'beta': 'b', 'c': 'rc', 'pre': 'rc', 'preview': 'rc'}


class InvalidVersion(ValueError):
    pass


class Version:
    def __init__(self, version):
        m = _PATTERN.match(version)
        if not m:
            raise InvalidVersion(f"Invalid version: '{version}'")
        self.epoch = int(m.group('epoch') or 0)
        self.release = tuple([int(i) for i in m.group('release').split('.')])
        pre = (m.group('pre_l') or '').lower()
        self.pre = (_PRE.get(pre, pre), int(m.group('pre_n') or 0)) if pre else None
        self.post = None
        if m.group('post_n1') is not None or m.group('post_l') is not None:
            self.post = int(m.group('post_n1') or m.group('post_n2') or 0)
        self.dev = int(m.group('dev_n') or 0) if m.group('dev_l') else None
        self.local = m.group('local').lower().replace('-', '.').replace('_', '.') if m.group('local') else None
        release = list(self.release)
        while release and release[-1] == 0:
            release.pop()
        if self.pre is None and self.post is None and self.dev is not None:
            pre_key = (-1, '', 0)
        elif self.pre is None:
            pre_key = (1, '', 0)
        else:
            pre_key = (0, self.pre[0], self.pre[1])
        local = ()
        if self.local is not None:
            local = tuple([(1, int(p), '') if p.isdigit() else (0, 0, p) for p in self.local.split('.')])
        self._key = (self.epoch, tuple(release), pre_key, -1 if self.post is None else self.post,
                     (1, 0) if self.dev is None else (0, self.dev), (0,) if self.local is None else (1,), local)

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    @property
    def base_version(self):
        return ('%d!' % self.epoch if self.epoch else '') + '.'.join([str(r) for r in self.release])

    @property
    def public(self):
        return str(self).split('+', 1)[0]

    @property
    def is_prerelease(self):
        return self.dev is not None or self.pre is not None

    @property
    def is_postrelease(self):
        return self.post is not None

    @property
    def is_devrelease(self):
        return self.dev is not None

    def __str__(self):
        s = self.base_version
        if self.pre is not None:
            s += self.pre[0] + str(self.pre[1])
        if self.post is not None:
            s += '.post' + str(self.post)
        if self.dev is not None:
            s += '.dev' + str(self.dev)
        return s + ('+' + self.local if self.local is not None else '')

    def __repr__(self):
        return f"<Version('{self}')>"

    def __hash__(self):
        return hash(self._key)

    def __eq__(self, other):
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __le__(self, other):
        return self._key <= other._key if isinstance(other, Version) else NotImplemented

    def __gt__(self, other):
        return self._key > other._key if isinstance(other, Version) else NotImplemented

    def __ge__(self, other):
        return self._key >= other._key if isinstance(other, Version) else NotImplemented


LegacyVersion = Version


def parse(version):
    return Version(version)
