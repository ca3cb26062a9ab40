# This file defines the exception of numpy.linalg; the functions are operator records.


class LinAlgError(ValueError):
    pass
