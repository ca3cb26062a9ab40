# This file holds chainer.config and the contexts that change it.
import _shapecheck
import contextlib


class GlobalConfig:
    """Settings of all threads; what shapes depend on is told to the engine."""

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        _tell(name)

    def __getattr__(self, name):
        if name == 'dtype':
            import numpy
            return numpy.dtype('float32')
        raise AttributeError("'%s' is no setting of chainer.config" % name)

    def show(self, file=None):
        pass


class LocalConfig:
    """Settings of a thread, which go before those of all."""

    def __init__(self, global_config):
        self.__dict__['_global'] = global_config

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        _tell(name)

    def __delattr__(self, name):
        object.__delattr__(self, name)
        _tell(name)

    def __getattr__(self, name):
        return getattr(self.__dict__['_global'], name)

    def show(self, file=None):
        pass


def _tell(name):
    if name == 'train':
        _shapecheck.set_option('chainer-train', 'on' if config.train else 'off')
    if name == 'enable_backprop':
        _shapecheck.set_option('chainer-backprop', '' if config.enable_backprop else 'off')


global_config = GlobalConfig()
global_config.__dict__.update(
    cudnn_deterministic=False, debug=False, cudnn_fast_batch_normalization=False, enable_backprop=True, in_recomputing=False, keep_graph_on_report=False,
    lazy_grad_sum=False, train=True, type_check=True, use_cudnn='auto', use_cudnn_tensor_core='auto', autotune=False, schedule_func=None,
    use_static_graph=True, use_ideep='never', warn_nondeterministic=False, compute_mode=None, user_gpu_mem_limit=None, max_workspace_size=8388608)
config = LocalConfig(global_config)


@contextlib.contextmanager
def using_config(name, value, config=config):
    had = name in config.__dict__
    old = getattr(config, name) if had else None
    setattr(config, name, value)
    try:
        yield
    finally:
        if had:
            setattr(config, name, old)
        else:
            delattr(config, name)


def no_backprop_mode():
    return using_config('enable_backprop', False)


def force_backprop_mode():
    return using_config('enable_backprop', True)


def is_debug():
    return bool(config.debug)


def set_debug(debug):
    config.debug = debug


class DebugMode:
    def __init__(self, debug):
        self._with = using_config('debug', debug)

    def __enter__(self):
        return self._with.__enter__()

    def __exit__(self, *exc):
        return self._with.__exit__(*exc)


class _Mixed16:
    """The dtype of parameters in float32 and data in float16."""

    name = 'float16'
    kind = 'f'
    char = 'e'
    itemsize = 2

    def __str__(self):
        return 'float16'

    def __repr__(self):
        return "dtype('float16')"


mixed16 = _Mixed16()
disable_experimental_feature_warning = False


def get_dtype(dtype=None, map_mixed16=None):
    import numpy
    if dtype is None:
        dtype = config.dtype
    if dtype is mixed16 and map_mixed16 is not None:
        dtype = map_mixed16
    return numpy.dtype(numpy.float16 if dtype is mixed16 else dtype)
