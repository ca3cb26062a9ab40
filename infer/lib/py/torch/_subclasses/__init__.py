# This file is torch._subclasses: no tensor of a run is a fake one.
from .fake_tensor import DataDependentOutputException, FakeTensor, FakeTensorMode
