# This file defines the base of extensions.
PRIORITY_WRITER = 300
PRIORITY_EDITOR = 200
PRIORITY_READER = 100


class Extension:
    trigger = (1, 'iteration')
    priority = PRIORITY_READER
    name = None

    @property
    def default_name(self):
        return type(self).__name__

    def __call__(self, trainer):
        raise NotImplementedError('Extension implementation must override __call__.')

    def finalize(self):
        pass

    def initialize(self, trainer):
        pass

    def on_error(self, trainer, exc, tb):
        pass

    def serialize(self, serializer):
        pass


def make_extension(trigger=None, default_name=None, priority=None, finalizer=None, initializer=None, on_error=None, **kwargs):
    def decorator(ext):
        ext.trigger = Extension.trigger if trigger is None else trigger
        ext.default_name = default_name or ext.__name__
        ext.priority = Extension.priority if priority is None else priority
        ext.finalize = finalizer
        ext.on_error = on_error
        ext.initialize = initializer
        return ext
    return decorator
