# This file names the hooks of optimizers; what they do to gradients is not modelled.


class _Hook:
    call_for_each_param = False
    timing = 'pre'

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, rule_or_optimizer, param=None):
        pass


class GradientClipping(_Hook):
    name = 'GradientClipping'


class GradientHardClipping(_Hook):
    name = 'GradientHardClipping'


class GradientLARS(_Hook):
    name = 'GradientLARS'


class GradientNoise(_Hook):
    name = 'GradientNoise'


class Lasso(_Hook):
    name = 'Lasso'


class WeightDecay(_Hook):
    name = 'WeightDecay'
