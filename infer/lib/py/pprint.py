# The module pprint.


def pprint(object, *args, **kwargs):
    pass


pp = pprint


def pformat(object, *args, **kwargs):
    return repr(object)


class PrettyPrinter:
    def __init__(self, *args, **kwargs):
        pass

    def pprint(self, object):
        pass

    def pformat(self, object):
        return repr(object)
