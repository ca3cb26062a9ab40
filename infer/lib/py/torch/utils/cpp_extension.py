# This file is torch.utils.cpp_extension: extensions are not built.
import _shapecheck

CUDA_HOME = None


def load(name, sources, *args, **kwargs):
    return _shapecheck.unknown('the compiled extension ' + str(name))


load_inline = load


def CppExtension(name, sources, *args, **kwargs):
    return None


CUDAExtension = CppExtension


class BuildExtension:
    @classmethod
    def with_options(cls, **options):
        return cls
