# This file defines the exceptions of beartype.


class BeartypeException(Exception):
    pass


class BeartypeCallHintParamViolation(BeartypeException):
    pass


class BeartypeCallHintReturnViolation(BeartypeException):
    pass
