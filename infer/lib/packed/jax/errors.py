# The exceptions of jax.errors.


class JAXTypeError(TypeError):
    pass


class JAXIndexError(IndexError):
    pass


class ConcretizationTypeError(JAXTypeError):
    pass


class TracerArrayConversionError(JAXTypeError):
    pass


class TracerIntegerConversionError(JAXTypeError):
    pass


class TracerBoolConversionError(ConcretizationTypeError):
    pass


class NonConcreteBooleanIndexError(JAXIndexError):
    pass


class UnexpectedTracerError(JAXTypeError):
    pass


class KeyReuseError(RuntimeError):
    pass


class JaxRuntimeError(RuntimeError):
    pass
