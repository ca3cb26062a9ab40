# This file defines triggers: whether one fires depends on how far the training is.
import _shapecheck


class _Trigger:
    def __call__(self, trainer):
        return _shapecheck.data_int('fires', 0, 1) == 1

    def serialize(self, serializer):
        pass


class IntervalTrigger(_Trigger):
    def __init__(self, period, unit):
        if unit not in ('epoch', 'iteration'):
            raise ValueError('Trigger unit must be either \'epoch\' or \'iteration\'.')
        self.period = period
        self.unit = unit
        self.count = 0

    def get_training_length(self):
        return self.period, self.unit


class ManualScheduleTrigger(_Trigger):
    def __init__(self, points, unit):
        if unit not in ('epoch', 'iteration'):
            raise ValueError('Trigger unit must be either \'epoch\' or \'iteration\'.')
        self.points = points if isinstance(points, list) else [points]
        self.unit = unit
        self.finished = False


class OnceTrigger(_Trigger):
    finished = False

    def __init__(self, call_on_resume=False):
        pass


class TimeTrigger(_Trigger):
    def __init__(self, period):
        self._period = period


class BestValueTrigger(_Trigger):
    best_value = None

    def __init__(self, key, compare, trigger=(1, 'epoch')):
        self._key = key


class MaxValueTrigger(BestValueTrigger):
    def __init__(self, key, trigger=(1, 'epoch')):
        super().__init__(key, None, trigger)


class MinValueTrigger(MaxValueTrigger):
    pass


class EarlyStoppingTrigger(_Trigger):
    def __init__(self, check_trigger=(1, 'epoch'), monitor='main/loss', patience=None, mode='auto', verbose=False, max_trigger=(100, 'epoch'), **kwargs):
        self.monitor = monitor
        self.max_trigger = max_trigger

    def get_training_length(self):
        return self.max_trigger
