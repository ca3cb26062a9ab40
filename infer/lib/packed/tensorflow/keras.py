# tf.keras: the layers that programs use most, and models of the program. A layer makes its variables when it is called first: in a trace
# they are variables that the first call makes. What is not here is unknown.
import inspect
import _shapecheck
from . import _core, _ops, nn
from ._control import Module
from ._core import Variable, convert
from ._ops import lost

_ACTIVATIONS = {'relu': _ops.relu, 'relu6': _ops.relu6, 'sigmoid': _ops.sigmoid, 'tanh': _ops.tanh, 'softmax': _ops.softmax, 'softplus': _ops.softplus, 'elu': _ops.elu, 'selu': _ops.selu,
                'gelu': _ops.gelu, 'silu': _ops.silu, 'swish': _ops.silu}


def _activation(a):
    if a is None or a == 'linear':
        return lambda x: x
    if isinstance(a, str):
        if a not in _ACTIVATIONS:
            raise ValueError('Could not interpret activation function identifier: ' + a)
        return _ACTIVATIONS[a]
    return a


def _shape(x):
    """The shape of an input, or of each where there are several."""
    if isinstance(x, (tuple, list)):
        return [_shape(e) for e in x]
    return tuple(x.shape)


# What layers and models of Keras have besides what is here.
_METHODS = set("""add_loss add_metric add_variable autocast build_from_config compute_dtype compute_mask compute_output_shape compute_output_spec count_params dtype dtype_policy
    from_config get_build_config get_config get_weights input input_dtype input_spec load_own_variables losses metrics metrics_variables output path quantize save_own_variables
    set_weights stateless_call supports_jit supports_masking symbolic_call variable_dtype""".split())
_MODEL_METHODS = set("""compile compile_from_config compiled compiled_loss compiled_metrics compute_loss compute_metrics distribute_strategy evaluate export fit get_compile_config
    get_layer get_metrics_result get_state_tree input_shape inputs jit_compile load_weights loss make_predict_function make_test_function make_train_function metrics_names optimizer
    output_shape outputs pop predict predict_function predict_on_batch predict_step reset_metrics run_eagerly save save_weights set_state_tree summary test_function test_on_batch test_step
    to_json train_function train_on_batch train_step""".split())


def _tracked(x, found):
    """Adds the variables of a layer, or of what is in a list or dict, to found, in the order in which they were made."""
    if isinstance(x, Variable):
        if not [1 for v in found if v is x]:
            found.append(x)
    elif isinstance(x, Module):
        _tracked(list(x.variables), found)
    elif isinstance(x, (list, tuple)):
        for v in x:
            _tracked(v, found)
    elif isinstance(x, dict):
        _tracked(list(x.values()), found)


class Layer(Module):
    def __new__(cls, *args, **kwargs):
        layer = super().__new__(cls)
        build = layer.build

        def once(*args, **kwargs):
            build(*args, **kwargs)
            layer.built = True
        layer.build = once
        return layer

    def __init__(self, *, activity_regularizer=None, trainable=True, dtype=None, autocast=True, name=None, **kwargs):
        super().__init__(name)
        self.built = False
        self._trainable = trainable

    def build(self, input_shape):
        pass

    def add_weight(self, shape=None, initializer=None, dtype=None, trainable=True, regularizer=None, constraint=None, aggregation='none', name=None, **kwargs):
        shape, dtype = () if shape is None else shape, _core.name_of(dtype) or 'float32'
        return Variable(lambda: _ops.zeros(shape, dtype), trainable=trainable, name=name)

    def call(self, *args, **kwargs):
        return _shapecheck.unknown('a layer without call')

    def __call__(self, *args, **kwargs):
        if args and not isinstance(args[0], (tuple, list, dict)):
            x = convert(args[0])
            if x is None:
                return lost()
            args = (x,) + args[1:]
        if not self.built:
            self.build(_shape(args[0]) if args and not isinstance(args[0], dict) else None)
        takes = inspect.signature(self.call).parameters
        if 'training' in kwargs and 'training' not in takes and not any([p.kind == p.VAR_KEYWORD for p in takes.values()]):
            kwargs = {k: v for k, v in kwargs.items() if k != 'training'}
        return self.call(*args, **kwargs)

    def __getattr__(self, name):
        if name in _METHODS or name in _MODEL_METHODS and isinstance(self, Model):
            return _unknown('tf.keras.Model', name)
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name + "'")

    @property
    def variables(self):
        found = []
        _tracked([v for v in vars(self).values() if isinstance(v, Variable) and v.trainable], found)
        _tracked([v for v in vars(self).values() if isinstance(v, Variable)], found)
        _tracked(list(vars(self).values()), found)
        return found

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = value
        for v in self.variables:
            if v.trainable or getattr(v, '_frozen', False):
                v.trainable, v._frozen = value, not value

    trainable_variables = property(lambda self: [v for v in self.variables if v.trainable] if self.trainable else [])
    non_trainable_variables = property(lambda self: [v for v in self.variables if not v.trainable] if self.trainable else self.variables)
    weights = property(lambda self: self.variables)
    trainable_weights = property(lambda self: self.trainable_variables)
    non_trainable_weights = property(lambda self: self.non_trainable_variables)
    layers = property(lambda self: [m for m in vars(self).values() if isinstance(m, Layer)])


class Dense(Layer):
    def __init__(self, units, activation=None, use_bias=True, *args, **kwargs):
        super().__init__(name=kwargs.get('name'))
        self.units, self.use_bias = units, use_bias
        self.activation = _activation(activation)

    def build(self, input_shape):
        self.kernel = self.add_weight((input_shape[-1], self.units), name='kernel')
        self.bias = self.add_weight((self.units,), name='bias') if self.use_bias else None

    def call(self, inputs):
        x = _ops.matmul(inputs, self.kernel) if inputs.shape.rank == 2 else _ops.tensordot(inputs, self.kernel, [[-1], [0]])
        return self.activation(x + self.bias if self.use_bias else x)


class Conv2D(Layer):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding='valid', data_format=None, dilation_rate=(1, 1), groups=1, activation=None, use_bias=True, **kwargs):
        super().__init__(name=kwargs.get('name'))
        self.filters, self.groups, self.use_bias = filters, groups, use_bias
        self.kernel_size = (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)
        self.strides, self.padding, self.dilation_rate = strides, padding, dilation_rate
        self.activation = _activation(activation)

    def build(self, input_shape):
        self.kernel = self.add_weight(self.kernel_size + (input_shape[-1] // self.groups, self.filters), name='kernel')
        self.bias = self.add_weight((self.filters,), name='bias') if self.use_bias else None

    def call(self, inputs):
        x = nn.conv2d(inputs, self.kernel, self.strides, self.padding.upper(), dilations=self.dilation_rate)
        return self.activation(x + self.bias if self.use_bias else x)


class Flatten(Layer):
    def call(self, inputs):
        n = 1
        for d in inputs.shape[1:]:
            if d is None:
                return lost()
            n *= d
        return _ops.reshape(inputs, (-1, n))


class Dropout(Layer):
    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(name=kwargs.get('name'))
        self.rate = rate

    def call(self, inputs, training=False):
        return nn.dropout(inputs, self.rate) if training and self.rate > 0 else inputs


class Activation(Layer):
    def __init__(self, activation, **kwargs):
        super().__init__(name=kwargs.get('name'))
        self.activation = _activation(activation)

    def call(self, inputs):
        return self.activation(inputs)


class ReLU(Activation):
    def __init__(self, **kwargs):
        super().__init__('relu')


class Softmax(Activation):
    def __init__(self, axis=-1, **kwargs):
        super().__init__('softmax')


def _blank(shape):
    """An input of a shape in which only the first size may be left open; None where another is."""
    if not isinstance(shape, (tuple, list)) or not shape or not all([isinstance(d, int) for d in shape[1:]]):
        _core.state.foreign = True  # which variables it makes is not known
        return None
    return _ops.zeros([1 if shape[0] is None else shape[0]] + list(shape[1:]))


class Model(Layer):
    pass


class _Input:
    """What Input gives to a Sequential."""

    def __init__(self, shape=None, batch_size=None, **kwargs):
        self._shape = (batch_size,) + tuple(shape) if isinstance(shape, (tuple, list)) else None


class Sequential(Model):
    def __init__(self, layers=None, trainable=True, name=None):
        super().__init__(name=name)
        self._layers, self._input = [], None
        for layer in layers or []:
            self.add(layer)

    layers = property(lambda self: list(self._layers))

    def build(self, input_shape=None):
        x = None if self.built else _blank(input_shape)
        for layer in self._layers if x is not None else []:
            x = layer(x)

    def add(self, layer):
        if isinstance(layer, _Input):
            self._input = _blank(layer._shape)
            return
        self._layers.append(layer)
        if self._input is not None:  # a layer after an Input makes its variables when it is added
            self._input = layer(self._input)
            self.built = True

    def call(self, inputs, training=None):
        x = inputs
        for layer in self._layers:
            x = layer(x) if training is None else layer(x, training=training)
        return x


class Optimizer:
    """Makes the variables of its own when it is given the model's first: in a trace they are variables that the first call makes."""

    _each = 1  # how many it makes for each variable of a model: none, or some

    def __init__(self, learning_rate=0.001, *args, **kwargs):
        self.built, self._own, self._known = False, [], []
        self.iterations = self._made(Variable(0, trainable=False, dtype='int64'))
        self._rate = self._made(Variable(learning_rate, trainable=False, dtype='float32')) if isinstance(learning_rate, (int, float)) else learning_rate
        self._each += 1 if kwargs.get('use_ema') else 0
        if args or kwargs.get('gradient_accumulation_steps'):
            _core.state.foreign = True

    def _made(self, v):
        self._own.append(v)
        return v

    def __getattr__(self, name):
        return _unknown('tf.keras.optimizers.Optimizer', name)

    variables = property(lambda self: list(self._own))

    @property
    def learning_rate(self):
        return self._rate

    @learning_rate.setter
    def learning_rate(self, rate):
        if isinstance(self._rate, Variable):
            self._rate.assign(rate)
        else:
            self._rate = rate

    def build(self, variables):
        if self.built:
            return
        for v in variables:
            for i in range(self._each):
                self._made(Variable(_ops.zeros_like(v), trainable=False))
        self.built, self._known = True, list(variables)

    def apply(self, grads, trainable_variables=None):
        if not self.built:
            if trainable_variables is None:
                raise ValueError('When passing `grads` without `variables`, the optimizer must already be built on a list of variables.')
            self.build(trainable_variables)
        for v in trainable_variables or []:
            if not any([v is k or _shapecheck.is_unknown(k) for k in self._known]) and not _shapecheck.is_unknown(v):
                raise ValueError('Unknown variable: ' + str(v) + '. This optimizer can only be called for the variables it was originally built with.')
            v._written(_shapecheck.unknown('a step of an optimizer'))
        self.iterations.assign_add(1)

    def apply_gradients(self, grads_and_vars):
        pairs = list(grads_and_vars)
        self.apply([g for g, v in pairs], [v for g, v in pairs])
        return self.iterations


class SGD(Optimizer):
    _each = 0

    def __init__(self, learning_rate=0.01, momentum=0.0, *args, **kwargs):
        self._each = 1 if momentum else 0
        super().__init__(learning_rate, *args, **kwargs)


class Adam(Optimizer):
    _each = 2


_OPTIMIZERS = {n: type(n, (Adam,), {}) for n in ('AdamW', 'Adamax', 'Nadam', 'Lamb', 'Adadelta', 'Ftrl')}
_OPTIMIZERS.update({n: type(n, (Optimizer,), {}) for n in ('RMSprop', 'Adagrad', 'Lion')})


class _Space:
    """Names of a module whose others are not known."""

    def __init__(self, name, foreign=True, **known):
        self.__dict__.update(known)
        self._space, self._foreign = name, foreign

    def __getattr__(self, name):
        return _unknown(self._space, name, self._foreign)


def _unknown(space, name, foreign=True):
    if name.startswith('__'):
        raise AttributeError(name)
    if foreign:
        _core.state.foreign = True
    return _shapecheck.unknown(space + '.' + name)


layers = _Space('tf.keras.layers', Layer=Layer, Dense=Dense, Conv2D=Conv2D, Flatten=Flatten, Dropout=Dropout, Activation=Activation, ReLU=ReLU, Softmax=Softmax, Input=_Input)
Input = _Input
optimizers = _Space('tf.keras.optimizers', schedules=_Space('tf.keras.optimizers.schedules', foreign=False), Optimizer=Optimizer, SGD=SGD, Adam=Adam, **_OPTIMIZERS)
losses = _Space('tf.keras.losses', foreign=False)  # they make no variables
activations = _Space('tf.keras.activations', **_ACTIVATIONS)


def __getattr__(name):
    return _unknown('tf.keras', name)
