# The module logging.config.


def dictConfig(config):
    pass


def fileConfig(fname, defaults=None, disable_existing_loggers=True, encoding=None):
    pass
