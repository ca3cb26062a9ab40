# This file is torch._dynamo.exc: what capturing a program raises.


class TorchDynamoException(RuntimeError):
    pass


class Unsupported(TorchDynamoException):
    pass


class UncapturedHigherOrderOpError(TorchDynamoException):
    pass


class FailOnRecompileLimitHit(TorchDynamoException):
    pass


class TorchRuntimeError(TorchDynamoException):
    pass


class UserError(Unsupported):
    pass
