# tf.errors.


class OpError(Exception):
    def __init__(self, node_def=None, op=None, message='', *args):
        Exception.__init__(self, message)
        self.node_def, self.op, self.message = node_def, op, message


class InvalidArgumentError(OpError):
    pass


class OutOfRangeError(OpError):
    pass


class NotFoundError(OpError):
    pass


class FailedPreconditionError(OpError):
    pass


class UnimplementedError(OpError):
    pass


class OperatorNotAllowedInGraphError(TypeError):
    pass


class InaccessibleTensorError(ValueError):
    pass
