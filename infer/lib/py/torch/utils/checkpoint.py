# This file is torch.utils.checkpoint: a checkpointed call is a call.


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None,
               determinism_check='default', debug=False, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for f in functions.children() if hasattr(functions, 'children') else functions:
        input = f(input)
    return input


class CheckpointFunction:
    @classmethod
    def apply(cls, run_function, preserve_rng_state, *args):
        return run_function(*args)


def set_checkpoint_early_stop(enable):
    pass


def noop_context_fn():
    import contextlib
    return contextlib.nullcontext(), contextlib.nullcontext()


class CheckpointError(RuntimeError):
    pass


class CheckpointPolicy:
    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE = range(4)


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    import contextlib
    return contextlib.nullcontext(), contextlib.nullcontext()


def set_checkpoint_debug_enabled(enabled):
    import contextlib
    return contextlib.nullcontext()
