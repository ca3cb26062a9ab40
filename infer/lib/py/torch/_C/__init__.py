# This file is the small part of PyTorch's native module that Python code of
# other projects touches.


def _log_api_usage_once(event):
    return None


def _get_tracing_state():
    return None


def _is_tracing():
    return False


def _set_grad_enabled(enabled):
    return None
