# The module logging.handlers.
from logging import FileHandler, Handler


class RotatingFileHandler(FileHandler):
    pass


class TimedRotatingFileHandler(FileHandler):
    pass


class SysLogHandler(Handler):
    pass


class QueueHandler(Handler):
    pass


class MemoryHandler(Handler):
    pass
