# This file defines functions of the user's own: their type check and forward run, on
# arrays; what their backward gives is not asked.
import _shapecheck
import numpy
from chainer import Variable, _chained, _gradients
from .utils import type_check as _type_check


class FunctionHook:
    name = 'FunctionHook'

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        # The methods of a hook of the program's own have run for each function: what it noted is not known.
        for name in list(self.__dict__):
            self.__dict__[name] = _shapecheck.unknown('what a hook of functions has noted')


class FunctionTestError(Exception):
    pass


class FunctionNode:
    inputs = None
    outputs = None
    rank = 0
    stack = None
    is_elementwise = False
    lazy_grad_sum = False

    @property
    def label(self):
        return type(self).__name__

    @property
    def _impl_name(self):
        return type(self).__name__

    @property
    def output_data(self):
        return None

    @property
    def local_function_hooks(self):
        return {}

    def __call__(self, *args, **kwargs):
        raise RuntimeError('A function class object (%s) which is derived from chainer.FunctionNode has been called as if it were a callable. '
                           'Use apply() method instead.' % type(self).__name__)

    def apply(self, inputs):
        arrays = _arrays_of(inputs, self.label)
        from ._config import config
        if config.type_check:
            self.check_type_forward(_type_check.get_types(arrays, 'in_types', False))
        made = _variables_of(self.forward(arrays), self.label)
        _keep(self, made, inputs)
        return made

    def check_type_forward(self, in_types):
        pass

    def check_layout_forward(self, inputs):
        pass

    def forward(self, inputs):
        return self.forward_cpu(inputs)

    def forward_cpu(self, inputs):
        raise NotImplementedError('%s.forward_cpu is not implemented' % type(self).__name__)

    def forward_gpu(self, inputs):
        raise NotImplementedError('%s.forward_gpu is not implemented' % type(self).__name__)

    def retain_inputs(self, indexes):
        pass

    def retain_outputs(self, indexes):
        pass

    def get_retained_inputs(self):
        return ()

    def get_retained_outputs(self):
        return ()

    def backward(self, target_input_indexes, grad_outputs):
        return (None,) * len(target_input_indexes)

    def add_hook(self, hook, name=None):
        pass

    def delete_hook(self, name):
        pass

    def unchain(self):
        pass


def _arrays_of(inputs, label):
    arrays = []
    for x in inputs:
        if isinstance(x, Variable):
            x = x.array
        elif not isinstance(x, numpy.ndarray):
            raise TypeError('incompatible array types are mixed in the forward input (%s): %s' % (label, type(x)))
        arrays.append(x)
    return tuple(arrays)


def _variables_of(outputs, label):
    if not isinstance(outputs, tuple):
        raise TypeError('forward output must be a tuple (%s), not %s' % (label, type(outputs)))
    out = []
    for y in outputs:
        if not isinstance(y, numpy.ndarray):
            raise TypeError('forward output must be a tuple of ndarrays (%s), but holds %s' % (label, type(y)))
        out.append(Variable(y))
    return tuple(out)


def _keep(function, made, inputs):
    # The function is the creator of what it made, and knows its inputs and rank.
    _chained(made, tuple(inputs), function)
    from ._config import config
    if config.enable_backprop:
        function.inputs = tuple([x if isinstance(x, Variable) else Variable(x, requires_grad=False) for x in inputs])
        function.rank = max([x.rank for x in function.inputs]) if inputs else 0


_CLASSES = {'_ + _': 'Add', '_ - _': 'Sub', '_ * _': 'Mul', '_ / _': 'Div', '_ ** _': 'PowVarVar', '__neg__': 'Neg', '|_|': 'Absolute'}


def _made_by(label, rank, inputs):
    # The creator of a Variable that a function of Chainer made.
    node = type(_CLASSES.get(label, label), (FunctionNode,), {'label': label})()
    node.rank = rank
    node.inputs = inputs
    node.outputs = _shapecheck.unknown('the Variables that a function made')
    return node


class Function:
    """A function of the old style: called with Variables, gives one or a tuple."""

    inputs = None
    outputs = None

    @property
    def label(self):
        return type(self).__name__

    def __call__(self, *inputs):
        arrays = _arrays_of(inputs, self.label)
        from ._config import config
        if config.type_check:
            self.check_type_forward(_type_check.get_types(arrays, 'in_types', False))
        out = _variables_of(self.forward(arrays), self.label)
        _keep(self, out, inputs)
        return out[0] if len(out) == 1 else out

    def apply(self, inputs):
        out = self(*inputs)
        return out if isinstance(out, tuple) else (out,)

    def check_type_forward(self, in_types):
        pass

    def forward(self, inputs):
        return self.forward_cpu(inputs)

    def forward_cpu(self, inputs):
        raise NotImplementedError('%s.forward_cpu is not implemented' % type(self).__name__)

    def backward(self, inputs, grad_outputs):
        return (None,) * len(inputs)

    def retain_inputs(self, indexes):
        pass

    def retain_outputs(self, indexes, retain_after_backward=False):
        pass


class FunctionAdapter(FunctionNode):
    pass


def grad(outputs, inputs, grad_outputs=None, grad_inputs=None, set_grad=False, retain_grad=False, enable_double_backprop=False, loss_scale=None):
    """The gradients have the types of the inputs; None where an input has no part in the outputs."""
    if not isinstance(outputs, (tuple, list)):
        raise TypeError('outputs must be a tuple or a list, not %s.' % type(outputs))
    if not isinstance(inputs, (tuple, list)):
        raise TypeError('inputs must be a tuple or a list, not %s.' % type(inputs))
    gradients = _gradients(outputs, inputs)
    if set_grad:
        for x, g in zip(inputs, gradients):
            x.grad_var = g
    return gradients


def backward(outputs, grad_outputs=None, **kwargs):
    """Computes the gradients of all that outputs are made of."""
    if not isinstance(outputs, (tuple, list)):
        raise TypeError('outputs must be a tuple or a list, not %s.' % type(outputs))
    if grad_outputs is not None:
        for y, g in zip(outputs, grad_outputs):
            if g is not None:
                y.grad_var = g
    for y in outputs:
        if y.grad_var is not None:  # of a number, too, none is taken for 1
            y.backward(**kwargs)
