# This file defines Trainer: one iteration stands for all of a training. The program's own extensions, which may keep
# something, are called as often as their triggers fire.
import _shapecheck
from .. import reporting
from ..iterators import SerialIterator
from .extension import PRIORITY_READER
from .extensions import Evaluator
from .updaters import StandardUpdater
from .util import get_trigger


_TURNS = 100  # up to how many iterations extensions are called one by one
_EVALUATIONS = 8


def _of_program(extension):
    module = getattr(extension, '__module__', None) or ''
    return module != 'chainer' and not module.startswith('chainer.')


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
        turns = self._updates()
        counted = turns is not None and turns <= _TURNS
        with self.reporter.scope(self.observation):
            self.updater.update()
            for extension, _, _, _ in extensions:
                if not _of_program(extension):
                    extension(self)
            own = [(extension, self._firing(extension, trigger, turns) if counted else None) for extension, trigger, _, _ in extensions if _of_program(extension)]
            for extension, firing in own:
                if firing is None:
                    extension(self)
                    while turns != 1 and _shapecheck.data_int('fires', 0, 1) == 1:
                        extension(self)
            for turn in range(1, turns + 1 if counted and any(own) else 1):
                if turns > 1:
                    self._count(turn)
                for extension, firing in own:
                    if firing is not None and turn in firing:
                        extension(self)
        for extension, _, _, _ in extensions:
            finalize = getattr(extension, 'finalize', None)
            if finalize:
                finalize()
        self.updater.finalize()
        if turns != 1 or self.stop_trigger.unit != 'iteration':
            self._count(turns)
        self._done = True

    def _main(self):
        """The iterator of which each update takes a batch."""
        updater = type(self.updater)
        plain = updater.update is StandardUpdater.update and updater.update_core is StandardUpdater.update_core
        return self.updater.get_iterator('main') if plain else None

    def _updates(self):
        """How many iterations there are until the stop trigger fires, None if that is not known."""
        period, unit = getattr(self.stop_trigger, 'period', None), getattr(self.stop_trigger, 'unit', None)
        if unit == 'iteration':
            return period if isinstance(period, int) and not _shapecheck.is_symbolic(period) else None
        iterator = self._main()
        return iterator._batches(period) if isinstance(period, int) and isinstance(iterator, SerialIterator) else None

    def _firing(self, extension, trigger, turns):
        """The iterations after which a trigger fires, None if that is not known."""
        period, unit = getattr(trigger, 'period', None), getattr(trigger, 'unit', None)
        if not isinstance(period, (int, float)) or _shapecheck.is_symbolic(period):
            return None
        share = 1
        if unit == 'epoch':
            iterator = self._main()
            if not isinstance(iterator, SerialIterator) or iterator._batches(1) is None:
                return None
            share = iterator.batch_size / len(iterator.dataset)
        firing = [turn for turn in range(1, turns + 1) if (turn - 1) * share // period != turn * share // period]
        return None if isinstance(extension, Evaluator) and len(firing) > _EVALUATIONS else firing

    def _count(self, updates):
        # The one iteration stands for those until the stop trigger fires, or for so many.
        iterator = self._main()
        plain = iterator is not None
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
