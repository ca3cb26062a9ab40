# This file defines finfo and iinfo, the limits of the number types.
import torch


def _limits():
    return {
        torch.float16: (16, 0.0009765625, 65504.0, 6.103515625e-05, 0.001),
        torch.bfloat16: (16, 0.0078125, 3.3895313892515355e+38, 1.1754943508222875e-38, 0.01),
        torch.float32: (32, 1.1920928955078125e-07, 3.4028234663852886e+38, 1.1754943508222875e-38, 1e-06),
        torch.float8_e4m3fn: (8, 0.125, 448.0, 0.015625, 1.0),
        torch.float8_e5m2: (8, 0.25, 57344.0, 6.103515625e-05, 1.0),
        torch.float8_e4m3fnuz: (8, 0.125, 240.0, 0.0078125, 1.0),
        torch.float8_e5m2fnuz: (8, 0.25, 57344.0, 3.0517578125e-05, 1.0),
        torch.float8_e8m0fnu: (8, 1.0, 1.7014118346046923e+38, 5.877471754111438e-39, 1.0),
        torch.float64: (64, 2.220446049250313e-16, 1.7976931348623157e+308, 2.2250738585072014e-308, 1e-15),
    }


class finfo:
    def __init__(self, type=None):
        if type is None:
            type = torch.get_default_dtype()
        parts = {torch.complex64: torch.float32, torch.complex128: torch.float64}
        limits = _limits()
        type = parts.get(type, type)
        if type not in limits:
            raise TypeError('torch.finfo() requires a floating point input type. Use torch.iinfo to handle integer types')
        self.bits, self.eps, self.max, self.tiny, self.resolution = limits[type]
        self.min = self.tiny if type == torch.float8_e8m0fnu else -self.max
        self.smallest_normal = self.tiny
        self.dtype = str(type).rpartition('.')[2]


class iinfo:
    def __init__(self, type):
        bits = {torch.uint8: 8, torch.uint16: 16, torch.uint32: 32, torch.uint64: 64, torch.int8: 8, torch.int16: 16, torch.int32: 32, torch.int64: 64}
        if type not in bits:
            raise TypeError('torch.iinfo() requires an integer input type. Use torch.finfo to handle floating point types')
        self.bits = bits[type]
        unsigned = type in (torch.uint8, torch.uint16, torch.uint32, torch.uint64)
        self.max = 2 ** self.bits - 1 if unsigned else 2 ** (self.bits - 1) - 1
        self.min = 0 if unsigned else -2 ** (self.bits - 1)
        self.dtype = str(type).rpartition('.')[2]
