# tf.linalg.
import _shapecheck
from ._ops import matmul, matvec, tensordot, einsum, norm, eye, trace, diag, diag_part, band_part, global_norm, transpose as matrix_transpose_of


def matrix_transpose(a, name='matrix_transpose', conjugate=False):
    import numpy as np
    from ._ops import _moves
    return _moves(a, lambda v: np.swapaxes(v, -1, -2), 'matrix_transpose')


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.linalg.' + name)
