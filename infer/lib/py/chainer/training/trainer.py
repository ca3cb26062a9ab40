# This file defines Trainer: one iteration stands for all of a training.
import _shapecheck
from .. import reporting
from ..iterators import SerialIterator
from .extension import PRIORITY_READER
from .updaters import StandardUpdater
from .util import get_trigger


class Trainer:
    def __init__(self, updater, stop_trigger=None, out='result', extensions=None):
        self.updater = updater
        self.stop_trigger = get_trigger(stop_trigger)
        self.observation = {}
        self.out = out
        self.reporter = reporting.Reporter()
        for name, optimizer in updater.get_all_optimizers().items():
            self.reporter.add_observer(name, optimizer.target)
            self.reporter.add_observers(name, optimizer.target.namedlinks(skipself=True))
        self._done = False
        self._extensions = {}
        updater.connect_trainer(self)
        for extension in extensions or []:
            self.extend(extension)

    @property
    def is_before_training(self):
        return self.updater.iteration == 0

    @property
    def elapsed_time(self):
        return _shapecheck.unknown('the time that a training took')

    def extend(self, extension, name=None, trigger=None, priority=None, *, call_before_training=False, **kwargs):
        if kwargs:
            raise TypeError("extend() got unexpected keyword argument(s) '%s'" % "', '".join(kwargs))
        for attribute in ('name', 'default_name', '__name__'):
            if name is None:
                name = getattr(extension, attribute, None)
        if name is None:
            raise TypeError('name is not given for the extension')
        if name == 'training':
            raise ValueError('the name "training" is prohibited as an extension name')
        if trigger is None:
            trigger = getattr(extension, 'trigger', (1, 'iteration'))
        if priority is None:
            priority = getattr(extension, 'priority', PRIORITY_READER)
        unique, n = name, 0
        while unique in self._extensions:
            n += 1
            unique = '%s_%d' % (name, n)
        extension.name = unique
        self._extensions[unique] = (extension, get_trigger(trigger), priority, call_before_training)

    def get_extension(self, name):
        if name not in self._extensions:
            raise ValueError('extension %s not found' % name)
        return self._extensions[name][0]

    def run(self, show_loop_exception_msg=True):
        if self._done:
            raise RuntimeError('cannot run training loop multiple times')
        extensions = sorted(self._extensions.values(), key=lambda entry: entry[2], reverse=True)
        for extension, _, _, _ in extensions:
            initialize = getattr(extension, 'initialize', None)
            if initialize:
                initialize(self)
        for extension, _, _, before in extensions:
            if before:
                with self.reporter.scope(self.observation):
                    extension(self)
        self.observation = {}
        with self.reporter.scope(self.observation):
            self.updater.update()
            for extension, _, _, _ in extensions:
                extension(self)
        for extension, _, _, _ in extensions:
            finalize = getattr(extension, 'finalize', None)
            if finalize:
                finalize()
        self.updater.finalize()
        self._count()
        self._done = True

    def _count(self):
        # The one iteration stands for those until the stop trigger fires.
        period, unit = getattr(self.stop_trigger, 'period', None), getattr(self.stop_trigger, 'unit', None)
        if (period, unit) == (1, 'iteration'):
            return
        plain = type(self.updater).update is StandardUpdater.update and type(self.updater).update_core is StandardUpdater.update_core
        iterator = self.updater.get_iterator('main') if plain else None
        updates = period if unit == 'iteration' else None
        if updates is None and isinstance(period, int) and isinstance(iterator, SerialIterator):
            updates = iterator._batches(period)
        self.updater.iteration = _shapecheck.data_int('iteration', 1) if updates is None else updates
        known = updates is not None and plain
        for optimizer in self.updater.get_all_optimizers().values():
            optimizer.t = updates if known else _shapecheck.data_int('t', 0)
            optimizer.epoch = _shapecheck.data_int('epoch', 0)
        for other in getattr(self.updater, '_iterators', {}).values():
            if isinstance(other, SerialIterator):
                other._served_batches(updates if known and other is iterator else None)
        if known and self.updater.auto_new_epoch and isinstance(iterator, SerialIterator):
            self.updater.get_optimizer('main').epoch = self.updater.epoch

    def serialize(self, serializer):
        pass
