# This file is torch.ops. Operators of libraries are records; libraries are not
# loaded.
loaded_libraries = set()


def load_library(path):
    pass


def import_module(module):
    pass
