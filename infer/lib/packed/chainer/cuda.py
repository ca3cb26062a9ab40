# The old name of chainer.backends.cuda.
from chainer.backends.cuda import *
from chainer.backends.cuda import get_array_module, to_cpu, to_gpu, available, cupy, DummyDevice, get_device_from_id
