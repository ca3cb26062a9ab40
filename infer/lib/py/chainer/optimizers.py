# This file names the optimizers; what they do to numbers is not modelled.
from .optimizer import GradientMethod


class SGD(GradientMethod):
    def __init__(self, lr=0.01):
        self.lr = lr


class MomentumSGD(GradientMethod):
    def __init__(self, lr=0.01, momentum=0.9):
        self.lr, self.momentum = lr, momentum


class NesterovAG(MomentumSGD):
    pass


class CorrectedMomentumSGD(MomentumSGD):
    pass


class AdaDelta(GradientMethod):
    def __init__(self, rho=0.95, eps=1e-06):
        self.rho, self.eps = rho, eps


class AdaGrad(GradientMethod):
    def __init__(self, lr=0.001, eps=1e-08):
        self.lr, self.eps = lr, eps


class Adam(GradientMethod):
    def __init__(self, alpha=0.001, beta1=0.9, beta2=0.999, eps=1e-08, eta=1.0, weight_decay_rate=0, amsgrad=False, adabound=False, final_lr=0.1, gamma=0.001):
        self.alpha, self.beta1, self.beta2, self.eps, self.eta = alpha, beta1, beta2, eps, eta
        self.weight_decay_rate, self.amsgrad, self.adabound, self.final_lr, self.gamma = weight_decay_rate, amsgrad, adabound, final_lr, gamma

    @property
    def lr(self):
        return self.alpha


class AdamW(Adam):
    pass


class AMSGrad(Adam):
    pass


class AdaBound(Adam):
    pass


class AMSBound(Adam):
    pass


class RMSprop(GradientMethod):
    def __init__(self, lr=0.01, alpha=0.99, eps=1e-08, eps_inside_sqrt=False):
        self.lr, self.alpha, self.eps, self.eps_inside_sqrt = lr, alpha, eps, eps_inside_sqrt


class RMSpropGraves(GradientMethod):
    def __init__(self, lr=0.0001, alpha=0.95, momentum=0.9, eps=0.0001):
        self.lr, self.alpha, self.momentum, self.eps = lr, alpha, momentum, eps


class SMORMS3(GradientMethod):
    def __init__(self, lr=0.001, eps=1e-16):
        self.lr, self.eps = lr, eps


class MSVAG(GradientMethod):
    def __init__(self, lr=0.1, beta=0.9, eta=1.0, weight_decay_rate=0):
        self.lr, self.beta, self.eta, self.weight_decay_rate = lr, beta, eta, weight_decay_rate
