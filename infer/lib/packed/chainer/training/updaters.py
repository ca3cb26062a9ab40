# This file defines updaters: an update takes a batch and calls the loss.
import copy
from .. import _config
from ..backend import get_device
from ..dataset import Iterator, concat_examples
from ..dataset.convert import _call_converter


class Updater:
    def connect_trainer(self, trainer):
        pass

    def finalize(self):
        raise NotImplementedError

    def get_optimizer(self, name):
        raise NotImplementedError

    def get_all_optimizers(self):
        raise NotImplementedError

    def update(self):
        raise NotImplementedError

    def serialize(self, serializer):
        raise NotImplementedError


def _call(func, inputs):
    if isinstance(inputs, tuple):
        return func(*inputs)
    if isinstance(inputs, dict):
        return func(**inputs)
    return func(inputs)


class StandardUpdater(Updater):
    def __init__(self, iterator, optimizer, converter=concat_examples, device=None, loss_func=None, loss_scale=None, auto_new_epoch=True, *, input_device=None):
        self._iterators = {'main': iterator} if isinstance(iterator, Iterator) else iterator
        self._optimizers = optimizer if isinstance(optimizer, dict) else {'main': optimizer}
        self.converter = converter
        self.loss_func = loss_func
        self.iteration = 0
        self._device = None if device is None else get_device(device)
        self._input_device = self._device if input_device is None else get_device(input_device)
        self.loss_scale = loss_scale
        self.auto_new_epoch = auto_new_epoch

    @property
    def device(self):
        return self._device

    @property
    def input_device(self):
        return self._input_device

    @property
    def epoch(self):
        return self._iterators['main'].epoch

    @property
    def epoch_detail(self):
        return self._iterators['main'].epoch_detail

    @property
    def previous_epoch_detail(self):
        return self._iterators['main'].previous_epoch_detail

    @property
    def is_new_epoch(self):
        return self._iterators['main'].is_new_epoch

    def finalize(self):
        for iterator in self._iterators.values():
            iterator.finalize()

    def get_optimizer(self, name):
        return self._optimizers[name]

    def get_all_optimizers(self):
        return dict(self._optimizers)

    def get_iterator(self, name):
        return self._iterators[name]

    def update(self):
        self.update_core()
        self.iteration += 1

    def update_core(self):
        iterator = self._iterators['main']
        inputs = _call_converter(self.converter, iterator.next(), self.input_device)
        optimizer = self._optimizers['main']
        loss_func = self.loss_func or optimizer.target
        if isinstance(inputs, tuple):
            optimizer.update(loss_func, *inputs)
        elif isinstance(inputs, dict):
            optimizer.update(loss_func, **inputs)
        else:
            optimizer.update(loss_func, inputs)
        if self.auto_new_epoch and iterator.is_new_epoch:
            optimizer.new_epoch(auto=True)

    def serialize(self, serializer):
        pass


class ParallelUpdater(StandardUpdater):
    def __init__(self, iterator, optimizer, converter=concat_examples, models=None, devices=None, loss_func=None, loss_scale=None, auto_new_epoch=True):
        super().__init__(iterator, optimizer, converter, loss_func=loss_func, loss_scale=loss_scale, auto_new_epoch=auto_new_epoch)
        if models is None:
            if devices is None:
                raise ValueError('either models or devices must be specified')
            if 'main' not in devices:
                raise KeyError("'devices' must contain a 'main' key.")
            models = {name: optimizer.target if name == 'main' else copy.deepcopy(optimizer.target) for name in devices}
        self._devices = None if devices is None else {name: get_device(device) for name, device in devices.items()}
        self._models = models

    def connect_trainer(self, trainer):
        main = self.get_optimizer('main').target
        for name, model in self._models.items():
            if model is not main:
                trainer.reporter.add_observer(name, model)

    def update_core(self):
        optimizer = self.get_optimizer('main')
        iterator = self.get_iterator('main')
        batch = iterator.next()
        n = len(self._models)
        losses = []
        for i, (key, model) in enumerate(self._models.items()):
            inputs = self.converter(batch[i::n], self._devices[key])
            with _config.force_backprop_mode():
                losses.append(_call(self.loss_func or model, inputs))
        for model in self._models.values():
            model.cleargrads()
        for loss in losses:
            loss.backward(loss_scale=self.loss_scale)
        optimizer.update()
        if self.auto_new_epoch and iterator.is_new_epoch:
            optimizer.new_epoch(auto=True)


class MultiprocessParallelUpdater(StandardUpdater):
    def __init__(self, iterators, optimizer, converter=concat_examples, devices=None, auto_new_epoch=True):
        super().__init__(iterators[0], optimizer, converter, auto_new_epoch=auto_new_epoch)
        self._devices = devices

    @staticmethod
    def available():
        return True
