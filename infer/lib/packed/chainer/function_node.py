# This file defines functions of the user's own: their type check and forward run, on
# arrays; what their backward gives is not asked.
import _shapecheck
import numpy
from chainer import Variable, _chained, _gradients
from .utils import type_check as _type_check


_hooks = {}


class FunctionHook:
    """What is called before and after functions and their gradients: of all in a with statement, or of one that has it."""

    name = 'FunctionHook'

    def __enter__(self):
        if self.name in _hooks:
            raise KeyError('hook %s already exists' % self.name)
        _hooks[self.name] = self
        self.added(None)
        return self

    def __exit__(self, *exc):
        _hooks[self.name].deleted(None)
        del _hooks[self.name]

    def added(self, function):
        pass

    def deleted(self, function):
        pass

    def forward_preprocess(self, function, in_data):
        pass

    def forward_postprocess(self, function, in_data):
        pass

    def backward_preprocess(self, function, in_data, out_grad):
        pass

    def backward_postprocess(self, function, in_data, out_grad):
        pass


def _tell_hooks(label, inputs):
    # What the hooks see of a function of Chainer that has run; of several, which and how many is not known.
    if label is None:
        for function in _shapecheck.unknown('the functions that have run'):
            _tell_hooks_of(function, _shapecheck.unknown('the inputs of a function'))
    else:
        _tell_hooks_of(_made_by(label, 0, None), inputs)


def _tell_hooks_of(function, inputs):
    for hook in _hooks.values():
        hook.forward_preprocess(function, inputs)
    for hook in _hooks.values():
        hook.forward_postprocess(function, inputs)


def _tell_hooks_backward():
    for hook in _hooks.values():
        kind = type(hook)
        if kind.backward_preprocess is FunctionHook.backward_preprocess and kind.backward_postprocess is FunctionHook.backward_postprocess:
            continue
        for function in _shapecheck.unknown('the functions whose gradients are computed'):
            given = _shapecheck.unknown('the inputs of a function'), _shapecheck.unknown('the gradients of a function')
            hook.backward_preprocess(function, *given)
            hook.backward_postprocess(function, *given)


class FunctionTestError(Exception):
    pass


class _Hooked:
    """What functions of both styles share: their names, and the hooks of one of them."""

    @property
    def label(self):
        return type(self).__name__

    @property
    def _impl_name(self):
        return type(self).__name__

    @property
    def local_function_hooks(self):
        return self.__dict__.setdefault('_local_hooks', {})

    @property
    def _n_local_function_hooks(self):
        return len(self.local_function_hooks)

    def add_hook(self, hook, name=None):
        if not isinstance(hook, FunctionHook):
            raise TypeError('Hook must be of type FunctionHook')
        if name is None:
            name = hook.name
        if name in self.local_function_hooks:
            raise KeyError('Hook %s already exists' % name)
        self.local_function_hooks[name] = hook
        hook.added(self)

    def delete_hook(self, name):
        if name not in self.local_function_hooks:
            raise KeyError('Hook %s does not exist' % name)
        self.local_function_hooks[name].deleted(self)
        del self.local_function_hooks[name]

    def check_type_forward(self, in_types):
        pass

    def _forwarded(self, inputs):
        # The Variables of what forward makes.
        from ._config import config
        arrays = _arrays_of(inputs, self.label)
        if config.type_check:
            _type_check._check_function(self, arrays)
        hooks = list({**_hooks, **self.local_function_hooks}.values())
        for hook in hooks:
            hook.forward_preprocess(self, arrays)
        out = self.forward(arrays)
        for hook in hooks:
            hook.forward_postprocess(self, arrays)
        made = _variables_of(out, self.label)
        _keep(self, made, inputs)
        return made


class FunctionNode(_Hooked):
    inputs = None
    outputs = None
    rank = 0
    stack = None
    is_elementwise = False
    lazy_grad_sum = False
    input_layouts = None
    output_layouts = None

    @property
    def output_data(self):
        return None

    def __call__(self, *args, **kwargs):
        raise RuntimeError('A function class object (%s) which is derived from chainer.FunctionNode has been called as if it were a callable. '
                           'Use apply() method instead.' % type(self).__name__)

    def apply(self, inputs):
        return self._forwarded(inputs)

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

    def forward_chainerx(self, inputs):
        return _shapecheck.unknown('what ChainerX computes')

    def backward(self, target_input_indexes, grad_outputs):
        return (None,) * len(target_input_indexes)

    def backward_accumulate(self, target_input_indexes, grad_outputs, grad_inputs):
        gxs = self.backward(target_input_indexes, grad_outputs)
        if len(gxs) != len(target_input_indexes):
            gxs = tuple([gxs[i] for i in target_input_indexes])
        return tuple([gx if old is None else old if gx is None else old + gx for gx, old in zip(gxs, grad_inputs)])

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
_CONSTANT_CLASSES = {'_ +': 'AddConstant', '_ *': 'MulConstant', '_ **': 'PowVarConst', '- _': 'SubFromConstant', '/ _': 'DivFromConstant', '** _': 'PowConstVar'}


def _class_of(label):
    left, _, right = label.partition(' ')
    if label in _CLASSES or not right:
        return _CLASSES.get(label, label)
    if left == '_':
        return _CONSTANT_CLASSES.get('_ ' + right.partition(' ')[0], label)
    return _CONSTANT_CLASSES.get(right, label)


def _made_by(label, rank, inputs):
    # The creator of a Variable that a function of Chainer made.
    node = type(_class_of(label), (FunctionNode,), {'label': label})()
    node.rank = rank
    node.inputs = inputs
    node.outputs = _shapecheck.unknown('the Variables that a function made')
    return node


class Function(_Hooked):
    """A function of the old style: called with Variables, gives one or a tuple."""

    inputs = None
    outputs = None
    rank = 0
    stack = None

    @property
    def node(self):
        return FunctionAdapter(self)

    @property
    def output_data(self):
        return None

    def unchain(self):
        pass

    def __call__(self, *inputs):
        out = self._forwarded(inputs)
        return out[0] if len(out) == 1 else out

    def apply(self, inputs):
        out = self(*inputs)
        return out if isinstance(out, tuple) else (out,)

    def forward(self, inputs):
        return self.forward_cpu(inputs)

    def forward_cpu(self, inputs):
        raise NotImplementedError('%s.forward_cpu is not implemented' % type(self).__name__)

    def forward_gpu(self, inputs):
        raise NotImplementedError('%s.forward_gpu is not implemented' % type(self).__name__)

    def backward_gpu(self, inputs, grad_outputs):
        return (None,) * len(inputs)

    def backward(self, inputs, grad_outputs):
        return self.backward_cpu(inputs, grad_outputs)

    def backward_cpu(self, inputs, grad_outputs):
        return (None,) * len(inputs)

    def retain_inputs(self, indexes):
        pass

    def retain_outputs(self, indexes, retain_after_backward=False):
        pass


class FunctionAdapter(FunctionNode):
    _function = None

    def __init__(self, function=None):
        self._function = function

    @property
    def function(self):
        return self._function


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
