# This file is torch.backends: settings that change no type.
import contextlib
from .._modes import numerics


class _Backend:
    enabled = True
    benchmark = False
    deterministic = False
    allow_tf32 = True
    benchmark_limit = 10
    verbose = 0

    def is_available(self):
        return False

    def is_built(self):
        return False

    def version(self):
        return None

    def is_acceptable(self, tensor):
        return False

    def get_cpu_capability(self):
        return 'DEFAULT'

    @contextlib.contextmanager
    def flags(self, *args, **kwargs):
        yield


def _reduced(key):
    def allow(self, allowed):
        numerics[key] = bool(allowed)
    return property(lambda self: numerics[key], allow)


class _Matmul(_Backend):
    allow_fp16_reduced_precision_reduction = _reduced('float16')
    allow_bf16_reduced_precision_reduction = _reduced('bfloat16')

    @property
    def allow_tf32(self):
        return numerics['precision'] != 'highest'

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        numerics['precision'] = 'high' if allowed else 'highest'


class _Cuda(_Backend):
    matmul = _Matmul()

    @contextlib.contextmanager
    def sdp_kernel(self, enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
        yield

    _flash = _mem_efficient = _math = _cudnn = True

    def enable_flash_sdp(self, enabled):
        self._flash = bool(enabled)

    def enable_mem_efficient_sdp(self, enabled):
        self._mem_efficient = bool(enabled)

    def enable_math_sdp(self, enabled):
        self._math = bool(enabled)

    def enable_cudnn_sdp(self, enabled):
        self._cudnn = bool(enabled)

    def flash_sdp_enabled(self):
        return self._flash

    def mem_efficient_sdp_enabled(self):
        return self._mem_efficient

    def math_sdp_enabled(self):
        return self._math

    def cudnn_sdp_enabled(self):
        return self._cudnn

    def is_flash_attention_available(self):
        return True

    def preferred_linalg_library(self, backend=None):
        pass


class _Quantized:
    engine = 'fbgemm'
    supported_engines = ['none', 'fbgemm', 'qnnpack', 'onednn', 'x86']


cuda = _Cuda()
mps = _Backend()
mkl = _Backend()
openmp = _Backend()
opt_einsum = _Backend()
cpu = _Backend()
xeon = _Backend()
quantized = _Quantized()
