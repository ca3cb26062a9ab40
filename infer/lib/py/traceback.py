# The module traceback.
from _shapecheck import unknown


def print_exc(*args, **kwargs):
    pass


print_exception = print_stack = print_tb = print_last = print_list = print_exc


def format_exc(*args, **kwargs):
    return unknown('the text of a traceback')


format_exception = format_tb = format_stack = extract_tb = extract_stack = format_exception_only = format_list = format_exc


class TracebackException:
    @classmethod
    def from_exception(cls, exc, **kwargs):
        return unknown('the text of a traceback')
