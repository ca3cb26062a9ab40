# The module tqdm.contrib.concurrent.


def thread_map(fn, *iterables, **kwargs):
    return list(map(fn, *iterables))


process_map = thread_map
