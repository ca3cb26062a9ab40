# This file is torch._subclasses.fake_tensor.


class FakeTensor:
    pass


class DataDependentOutputException(RuntimeError):
    pass


class FakeTensorMode:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None
