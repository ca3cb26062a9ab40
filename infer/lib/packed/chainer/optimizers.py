# This file names the optimizers; what they do to numbers is not modelled.
import math
import numpy
from .optimizer import GradientMethod, _LibraryRule


class SGDRule(_LibraryRule):
    _states = ()


class SGD(GradientMethod):
    _rule = SGDRule

    def __init__(self, lr=0.01):
        self.lr = lr


class MomentumSGDRule(_LibraryRule):
    _states = ('v',)


class MomentumSGD(GradientMethod):
    _rule = MomentumSGDRule

    def __init__(self, lr=0.01, momentum=0.9):
        self.lr, self.momentum = lr, momentum


class NesterovAGRule(_LibraryRule):
    _states = ('v',)


class NesterovAG(MomentumSGD):
    _rule = NesterovAGRule


class CorrectedMomentumSGDRule(_LibraryRule):
    _states = ('v',)


class CorrectedMomentumSGD(MomentumSGD):
    _rule = CorrectedMomentumSGDRule


class AdaDeltaRule(_LibraryRule):
    _states = ('msg', 'msdx')


class AdaDelta(GradientMethod):
    _rule = AdaDeltaRule

    def __init__(self, rho=0.95, eps=1e-06):
        self.rho, self.eps = rho, eps


class AdaGradRule(_LibraryRule):
    _states = ('h',)


class AdaGrad(GradientMethod):
    _rule = AdaGradRule

    def __init__(self, lr=0.001, eps=1e-08):
        self.lr, self.eps = lr, eps


class AdamRule(_LibraryRule):
    _states = ('m', 'v')

    def init_state(self, param):
        super().init_state(param)
        if self.hyperparam.amsgrad:
            self.state['vhat'] = numpy.empty_like(param.array)


class Adam(GradientMethod):
    _rule = AdamRule

    def __init__(self, alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, eta=1.0, weight_decay_rate=0, amsgrad=False, adabound=False, final_lr=0.1, gamma=0.001):
        self.alpha, self.beta1, self.beta2, self.eps, self.eta = alpha, beta1, beta2, eps, eta
        self.weight_decay_rate, self.amsgrad, self.adabound, self.final_lr, self.gamma = weight_decay_rate, amsgrad, adabound, final_lr, gamma

    @property
    def alpha_t(self):
        if self.t == 0:
            raise RuntimeError("Can't determine the learning rate of Adam optimizer because the update steps have not been started.")
        return self.alpha * math.sqrt(1 - self.beta2 ** self.t) / (1 - self.beta1 ** self.t)

    lr = alpha_t


class AdamW(Adam):
    pass


class AMSGrad(Adam):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.amsgrad = True


class AdaBound(Adam):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.adabound = True


class AMSBound(Adam):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.amsgrad = self.adabound = True


class RMSpropRule(_LibraryRule):
    _states = ('ms',)


class RMSprop(GradientMethod):
    _rule = RMSpropRule

    def __init__(self, lr=0.01, alpha=0.99, eps=1e-08, eps_inside_sqrt=False):
        self.lr, self.alpha, self.eps, self.eps_inside_sqrt = lr, alpha, eps, eps_inside_sqrt


class RMSpropGravesRule(_LibraryRule):
    _states = ('n', 'g', 'delta')


class RMSpropGraves(GradientMethod):
    _rule = RMSpropGravesRule

    def __init__(self, lr=0.0001, alpha=0.95, momentum=0.9, eps=0.0001):
        self.lr, self.alpha, self.momentum, self.eps = lr, alpha, momentum, eps


class SMORMS3Rule(_LibraryRule):
    _states = ('mem', 'g', 'g2')


class SMORMS3(GradientMethod):
    _rule = SMORMS3Rule

    def __init__(self, lr=0.001, eps=1e-16):
        self.lr, self.eps = lr, eps


class MSVAGRule(_LibraryRule):
    _states = ('m', 'v')


class MSVAG(GradientMethod):
    _rule = MSVAGRule

    def __init__(self, lr=0.1, beta=0.9, eta=1.0, weight_decay_rate=0):
        self.lr, self.beta, self.eta, self.weight_decay_rate = lr, beta, eta, weight_decay_rate
