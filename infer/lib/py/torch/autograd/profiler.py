# This file is torch.autograd.profiler; nothing is measured.


class record_function:
    def __init__(self, name, args=None):
        self.name = name

    def __call__(self, func):
        return func

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


class profile(record_function):
    def __init__(self, *args, **kwargs):
        pass

    def step(self):
        pass

    def key_averages(self, *args, **kwargs):
        return self

    def table(self, *args, **kwargs):
        return ''

    def export_chrome_trace(self, path):
        pass


emit_nvtx = profile
