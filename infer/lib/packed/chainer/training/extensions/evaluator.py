# This file defines Evaluator, which calls the model with the batches of another dataset.
import copy
from ... import _config, reporting
from ...backend import get_device
from ...dataset import Iterator, concat_examples
from ...dataset.convert import _call_converter
from ...iterators import SerialIterator
from ...link import Link
from ..extension import PRIORITY_WRITER, Extension
from ..updaters import _call

_BATCHES = 4  # of an iterator of the program's own the first stand for all


class Evaluator(Extension):
    trigger = (1, 'epoch')
    default_name = 'validation'
    priority = PRIORITY_WRITER
    name = None

    def __init__(self, iterator, target, converter=concat_examples, device=None, eval_hook=None, eval_func=None, *, progress_bar=False):
        self._iterators = {'main': iterator} if isinstance(iterator, Iterator) else iterator
        self._targets = {'main': target} if isinstance(target, Link) else target
        self.converter = converter
        self.device = None if device is None else get_device(device)
        self.eval_hook = eval_hook
        self.eval_func = eval_func

    def get_iterator(self, name):
        return self._iterators[name]

    def get_all_iterators(self):
        return dict(self._iterators)

    def get_target(self, name):
        return self._targets[name]

    def get_all_targets(self):
        return dict(self._targets)

    def __call__(self, trainer=None):
        reporter = reporting.Reporter()
        prefix = '' if self.name is None else self.name + '/'
        for name, target in self._targets.items():
            reporter.add_observer(prefix + name, target)
            reporter.add_observers(prefix + name, target.namedlinks(skipself=True))
        with reporter:
            with _config.using_config('train', False):
                result = self.evaluate()
        reporting.report(result)
        return result

    def evaluate(self):
        iterator = self._iterators['main']
        eval_func = self.eval_func or self._targets['main']
        if self.eval_hook:
            self.eval_hook(self)
        if hasattr(iterator, 'reset'):
            iterator.reset()
        else:
            iterator = copy.copy(iterator)
        summary = reporting.DictSummary()
        n = 0
        for batch in iterator:
            if n == _BATCHES and not isinstance(iterator, SerialIterator):
                break
            n += 1
            observation = {}
            with reporting.report_scope(observation):
                with _config.no_backprop_mode():
                    _call(eval_func, _call_converter(self.converter, batch, self.device))
            summary.add(observation)
        return summary.compute_mean()

    def finalize(self):
        for iterator in self._iterators.values():
            iterator.finalize()
