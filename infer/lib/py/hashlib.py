# The module hashlib: digests are not computed.
from _shapecheck import unknown


class _Hash:
    def __init__(self, *args, **kwargs):
        self.name = 'hash'

    def update(self, data):
        pass

    def digest(self, *args):
        return unknown('a digest')

    hexdigest = digest

    def copy(self):
        return self


md5 = sha1 = sha224 = sha256 = sha384 = sha512 = blake2b = blake2s = sha3_224 = sha3_256 = sha3_384 = sha3_512 = shake_128 = shake_256 = _Hash


def new(name, data=b'', **kwargs):
    return _Hash()
