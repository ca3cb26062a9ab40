# This file defines beartype's import hooks, which do nothing here.


def beartype_this_package(*args, **kwargs):
    pass


def beartype_package(*args, **kwargs):
    pass


def beartype_packages(*args, **kwargs):
    pass


def beartype_all(*args, **kwargs):
    pass
