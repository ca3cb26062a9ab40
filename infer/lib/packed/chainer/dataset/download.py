# This file names where datasets are kept; nothing is downloaded.
import os
import _shapecheck

_root = os.path.expanduser('~/.chainer/dataset')


def get_dataset_root():
    return _root


def set_dataset_root(path):
    global _root
    _root = path


def get_dataset_directory(dataset_name, create_directory=True):
    return os.path.join(_root, dataset_name)


def cached_download(url):
    return os.path.join(_root, '_dl_cache', url.split('/')[-1])


def cache_or_load_file(path, creator, loader):
    return _shapecheck.unknown('a downloaded dataset')
