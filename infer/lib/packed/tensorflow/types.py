# tf.types.
import _shapecheck


class experimental:
    def __getattr__(self, name):
        return _shapecheck.unknown('tf.types.experimental.' + name)


experimental = experimental()
