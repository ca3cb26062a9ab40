# This file is torch.distributions.constraint_registry: transforms from the real numbers to what a
# constraint allows.
from . import constraints, transforms


class ConstraintRegistry:
    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        key = constraint if isinstance(constraint, type) else type(constraint)
        self._registry[key] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise NotImplementedError(f'Cannot transform {type(constraint).__name__} constraints')
        return self._registry[type(constraint)](constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _both(*list):
    def register(factory):
        for c in list:
            biject_to.register(c, factory)
            transform_to.register(c, factory)
        return factory
    return register


@_both(constraints.real)
def _real(c):
    return transforms.identity_transform


@_both(constraints.positive, constraints.nonnegative)
def _positive(c):
    if c.lower_bound == 0:
        return transforms.ExpTransform()
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(c.lower_bound, 1)])


@_both(constraints.less_than(0))
def _less_than(c):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(c.upper_bound, -1)])


@_both(constraints.unit_interval, constraints.half_open_interval(0, 1))
def _interval(c):
    if c.lower_bound == 0 and c.upper_bound == 1:
        return transforms.SigmoidTransform()
    scale = c.upper_bound - c.lower_bound
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(c.lower_bound, scale)])


@transform_to.register(constraints.lower_cholesky)
def _lower_cholesky(c):
    return transforms.LowerCholeskyTransform()


@transform_to.register(constraints.positive_definite)
@transform_to.register(constraints.positive_semidefinite)
def _positive_definite(c):
    return transforms.PositiveDefiniteTransform()


@_both(constraints.corr_cholesky)
def _corr_cholesky(c):
    return transforms.CorrCholeskyTransform()


@biject_to.register(constraints.simplex)
def _simplex(c):
    return transforms.StickBreakingTransform()


@transform_to.register(constraints.simplex)
def _softmax(c):
    return transforms.SoftmaxTransform()


@biject_to.register(constraints.real_vector)
def _bijects_independent(c):
    return transforms.IndependentTransform(biject_to(c.base_constraint), c.reinterpreted_batch_ndims)


@transform_to.register(constraints.real_vector)
def _transforms_independent(c):
    return transforms.IndependentTransform(transform_to(c.base_constraint), c.reinterpreted_batch_ndims)
