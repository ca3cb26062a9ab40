# tf.autograph.
import _shapecheck


class experimental:
    @staticmethod
    def set_loop_options(parallel_iterations=None, swap_memory=None, maximum_iterations=None, shape_invariants=None):
        _shapecheck.loop_shapes_vary()

    @staticmethod
    def do_not_convert(func=None):
        if func is None:
            return experimental.do_not_convert

        def run(*args, **kw):
            mode = _shapecheck.graph_mode(False)
            try:
                return func(*args, **kw)
            finally:
                _shapecheck.graph_mode(mode)
        return run


def set_verbosity(*args, **kw):
    pass


def to_graph(entity, *args, **kw):
    return _shapecheck.unknown('a converted function')
