# The package tqdm.contrib.
from tqdm import tqdm


def tenumerate(iterable, start=0, **kwargs):
    return enumerate(iterable, start)


def tzip(*iterables, **kwargs):
    return zip(*iterables)
