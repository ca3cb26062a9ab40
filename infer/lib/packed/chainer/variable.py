# The module under which chainer.Variable is defined.
from chainer import Parameter, Variable, as_array, as_variable
