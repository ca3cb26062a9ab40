# This file defines the extensions that show, save or change numbers: types do not depend on them.
from ..extension import PRIORITY_WRITER, Extension


class _Quiet(Extension):
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, trainer=None):
        pass


class _Writer(_Quiet):
    priority = PRIORITY_WRITER


class DumpGraph(_Quiet):
    default_name = 'dump_graph'

    def __init__(self, root_name, filename=None, variable_style=None, function_style=None, **kwargs):
        self._root_name = root_name


class ExponentialShift(_Quiet):
    def __init__(self, attr, rate, init=None, target=None, optimizer=None):
        if rate < 0:
            raise ValueError('ExponentialShift does not support negative rate')


class InverseShift(_Quiet):
    def __init__(self, attr, gamma, power, init=None, target=None, optimizer=None):
        pass


class LinearShift(_Quiet):
    def __init__(self, attr, value_range, time_range, optimizer=None):
        pass


class MultistepShift(_Quiet):
    def __init__(self, attr, gamma, step_value, init, optimizer=None):
        pass


class PolynomialShift(_Quiet):
    def __init__(self, attr, rate, max_count, init=None, target=None, optimizer=None):
        pass


class StepShift(_Quiet):
    def __init__(self, attr, gamma, step, init=None, target=None, optimizer=None):
        pass


class WarmupShift(_Quiet):
    def __init__(self, attr, warmup_start, warmup_iter, init, optimizer=None):
        pass


class FailOnNonNumber(_Quiet):
    pass


class LogReport(_Writer):
    def __init__(self, keys=None, trigger=(1, 'epoch'), postprocess=None, filename='log', **kwargs):
        self._keys = keys
        self.log = []

    def get_trigger(self):
        from ..util import get_trigger
        return get_trigger((1, 'epoch'))


class MicroAverage(_Quiet):
    def __init__(self, numerator_key, denominator_key, result_key, trigger=(1, 'epoch')):
        pass


class ParameterStatistics(_Quiet):
    default_name = 'parameter_statistics'

    def __init__(self, links, statistics=None, report_params=True, report_grads=True, prefix=None, skip_nan_params=False):
        pass


class PlotReport(_Quiet):
    def __init__(self, y_keys, x_key='iteration', trigger=(1, 'epoch'), postprocess=None, filename='plot.png', marker='x', grid=True, **kwargs):
        pass

    @staticmethod
    def available():
        return True


class PrintReport(_Quiet):
    def __init__(self, entries, log_report='LogReport', out=None):
        pass


class ProgressBar(_Quiet):
    def __init__(self, training_length=None, update_interval=100, bar_length=50, out=None):
        pass


class VariableStatisticsPlot(_Quiet):
    def __init__(self, targets, **kwargs):
        pass

    @staticmethod
    def available():
        return True


class unchain_variables(_Quiet):
    pass


class _Snapshot(_Quiet):
    priority = -100
    trigger = (1, 'epoch')
    default_name = 'snapshot'


def snapshot(savefun=None, filename='snapshot_iter_{.updater.iteration}', *, target=None, condition=None, writer=None, snapshot_on_error=False, n_retains=-1,
             autoload=False):
    return _Snapshot()


def snapshot_object(target, filename, savefun=None, *, condition=None, writer=None, snapshot_on_error=False, n_retains=-1, autoload=False):
    return _Snapshot()


def observe_value(observation_key, target_func):
    from ..extension import make_extension
    from ... import reporting

    @make_extension(trigger=(1, 'epoch'), priority=PRIORITY_WRITER)
    def _observe_value(trainer):
        reporting.report({observation_key: target_func(trainer)})
    return _observe_value


def observe_lr(optimizer_name='main', observation_key='lr'):
    return observe_value(observation_key, lambda trainer: trainer.updater.get_optimizer(optimizer_name).lr)
