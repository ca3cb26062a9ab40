# Metrics: the types of what they give; their numbers are not known.
import torch as _torch
from torch import nn as _nn
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _number(*shape, dtype=None):
    return _torch._stand_in(_torch.zeros(shape, dtype=dtype), what='what a metric of torchmetrics computes')


class Metric(_nn.Module):
    # The base of metrics, also of a program's own: update takes a batch, compute gives the value.
    is_differentiable = higher_is_better = None
    full_state_update = None

    def __init__(self, **kwargs):
        super().__init__()
        self._defaults = {}

    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        setattr(self, name, default)
        self._defaults[name] = default

    def update(self, *args, **kwargs):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError

    def forward(self, *args, **kwargs):
        self.update(*args, **kwargs)
        return self.compute()

    def reset(self):
        for name, default in self._defaults.items():
            setattr(self, name, [] if isinstance(default, list) else default)

    def clone(self, prefix=None, postfix=None):
        return self

    def sync(self, *args, **kwargs):
        pass

    unsync = set_dtype = persistent = sync

    @property
    def metric_state(self):
        return {name: getattr(self, name) for name in self._defaults}

    def plot(self, *args, **kwargs):
        return _unknown('a picture of a metric'), _unknown('a picture of a metric')


class _Known(Metric):
    # A metric of torchmetrics: what it computes is known by what it was made with.
    def __init__(self, *args, **kwargs):
        super().__init__()
        self._given = args, kwargs

    def update(self, *args, **kwargs):
        pass

    def compute(self):
        return _number()


class _Classes(_Known):
    # A number, or one for each class.
    _average = 'macro'

    def compute(self):
        args, given = self._given
        if 'average' in given and _is_unknown(given['average']) or given.get('multidim_average', 'global') != 'global' or len(args) > 1:
            return _unknown('a metric whose arguments are not known')
        average = given.get('average', self._average)
        classes = given.get('num_labels') if given.get('task') == 'multilabel' else given.get('num_classes')
        if given.get('task', args[0] if args else None) == 'binary' or average not in (None, 'none'):
            return _number()
        if classes is None:
            return _unknown('a metric for each of a number of classes that is not known')
        return _number(classes)


class Accuracy(_Classes):
    _average = 'micro'


def _classes(base, names):
    for name in names.split():
        globals()[name] = type(name, (base,), {})


_classes(Accuracy, 'Precision Recall Specificity F1Score FBetaScore HammingDistance')
_classes(_Classes, 'AUROC AveragePrecision JaccardIndex')


class ConfusionMatrix(_Known):
    def compute(self):
        args, given = self._given
        task = given.get('task', args[0] if args else None)
        normalize = given.get('normalize')
        dtype = _torch.int64 if normalize is None or normalize == 'none' else _torch.float32
        if task == 'binary':
            return _number(2, 2, dtype=dtype)
        if task == 'multiclass' and given.get('num_classes') is not None:
            return _number(given['num_classes'], given['num_classes'], dtype=dtype)
        return _unknown('a confusion matrix of a number of classes that is not known')


class MeanMetric(_Known):
    def __init__(self, nan_strategy='warn', **kwargs):
        super().__init__()

    def update(self, value, weight=1.0):
        pass


_classes(MeanMetric, 'SumMetric MaxMetric MinMetric')


class _Regression(_Known):
    # A number, or one for each output.
    def compute(self):
        n = self._given[1].get('num_outputs', 1)
        return _unknown('a metric of an unknown number of outputs') if _is_unknown(n) else _number() if n == 1 else _number(n)


_classes(_Regression, 'MeanSquaredError MeanAbsoluteError PearsonCorrCoef SpearmanCorrCoef')
_classes(_Known, 'MeanAbsolutePercentageError R2Score')


class MetricCollection(_nn.ModuleDict):
    # Metrics that take the same batches; the results by their names.
    def __init__(self, metrics, *more, prefix=None, postfix=None, compute_groups=True):
        if isinstance(metrics, Metric):
            metrics = [metrics]
        if not isinstance(metrics, dict):
            metrics = {type(m).__name__: m for m in list(metrics) + list(more)}
        super().__init__()
        for name, metric in metrics.items():
            self.add_module(name, metric)
        self.prefix, self.postfix = prefix, postfix

    def _named(self, values):
        return {(self.prefix or '') + name + (self.postfix or ''): value for name, value in values.items()}

    def forward(self, *args, **kwargs):
        return self._named({name: m(*args, **kwargs) for name, m in self._modules.items()})

    def update(self, *args, **kwargs):
        for m in self._modules.values():
            m.update(*args, **kwargs)

    def compute(self):
        return self._named({name: m.compute() for name, m in self._modules.items()})

    def reset(self):
        for m in self._modules.values():
            m.reset()

    def clone(self, prefix=None, postfix=None):
        return MetricCollection(dict(self._modules), prefix=prefix or self.prefix, postfix=postfix or self.postfix)
