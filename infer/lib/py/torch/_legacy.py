# This file defines the tensor types that are named after a dtype, such as
# torch.LongTensor: they make tensors and can be asked about in isinstance.
import torch


class _TypedTensor(type):
    def __instancecheck__(cls, x):
        return isinstance(x, torch.Tensor) and x.dtype == cls.dtype

    def __call__(cls, *args, device=None):
        if len(args) == 1 and not isinstance(args[0], int):
            if isinstance(args[0], torch.Size):
                return torch.empty(args[0], dtype=cls.dtype)
            if isinstance(args[0], torch.Tensor):
                return args[0].to(cls.dtype)
            return torch.tensor(args[0], dtype=cls.dtype)
        return torch.empty(args if args else (0,), dtype=cls.dtype)


class FloatTensor(metaclass=_TypedTensor):
    dtype = torch.float32


class DoubleTensor(metaclass=_TypedTensor):
    dtype = torch.float64


class HalfTensor(metaclass=_TypedTensor):
    dtype = torch.float16


class BFloat16Tensor(metaclass=_TypedTensor):
    dtype = torch.bfloat16


class ByteTensor(metaclass=_TypedTensor):
    dtype = torch.uint8


class CharTensor(metaclass=_TypedTensor):
    dtype = torch.int8


class ShortTensor(metaclass=_TypedTensor):
    dtype = torch.int16


class IntTensor(metaclass=_TypedTensor):
    dtype = torch.int32


class LongTensor(metaclass=_TypedTensor):
    dtype = torch.int64


class BoolTensor(metaclass=_TypedTensor):
    dtype = torch.bool


class UntypedStorage:
    pass


TypedStorage = UntypedStorage
FloatStorage = UntypedStorage
