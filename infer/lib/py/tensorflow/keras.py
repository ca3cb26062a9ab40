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


class Layer(Module):
    def __init__(self, *, activity_regularizer=None, trainable=True, dtype=None, autocast=True, name=None, **kwargs):
        super().__init__(name)
        self.built = False
        self.trainable = trainable

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
            self.built = True
        takes = inspect.signature(self.call).parameters
        if 'training' in kwargs and 'training' not in takes and not any([p.kind == p.VAR_KEYWORD for p in takes.values()]):
            kwargs = {k: v for k, v in kwargs.items() if k != 'training'}
        return self.call(*args, **kwargs)

    weights = property(lambda self: list(self.variables))
    trainable_weights = property(lambda self: list(self.trainable_variables))
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


class Model(Layer):
    pass


class Sequential(Model):
    def __init__(self, layers=None, trainable=True, name=None):
        super().__init__(name=name)
        self._layers = list(layers or [])

    layers = property(lambda self: list(self._layers))

    def add(self, layer):
        self._layers.append(layer)

    def call(self, inputs, training=None):
        x = inputs
        for layer in self._layers:
            x = layer(x) if training is None else layer(x, training=training)
        return x


class _Space:
    """Names of a module whose others are not known."""

    def __init__(self, name, **known):
        self.__dict__.update(known)
        self._space = name

    def __getattr__(self, name):
        return _unknown(self._space, name)


def _unknown(space, name):
    if name.startswith('__'):
        raise AttributeError(name)
    _core.state.foreign = True
    return _shapecheck.unknown(space + '.' + name)


layers = _Space('tf.keras.layers', Layer=Layer, Dense=Dense, Conv2D=Conv2D, Flatten=Flatten, Dropout=Dropout, Activation=Activation, ReLU=ReLU, Softmax=Softmax)
activations = _Space('tf.keras.activations', **_ACTIVATIONS)


def __getattr__(name):
    return _unknown('tf.keras', name)
