# The module logging: loggers that write nothing.

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
raiseExceptions = True
BASIC_FORMAT = '%(levelname)s:%(name)s:%(message)s'
_names = {50: 'CRITICAL', 40: 'ERROR', 30: 'WARNING', 20: 'INFO', 10: 'DEBUG', 0: 'NOTSET'}


def _level(level):
    if isinstance(level, str):
        for n, name in _names.items():
            if name == level.upper():
                return n
        raise ValueError('Unknown level: %r' % (level,))
    return level


class Filter:
    def __init__(self, name=''):
        self.name = name

    def filter(self, record):
        return True


class Filterer:
    def addFilter(self, filter):
        pass

    def removeFilter(self, filter):
        pass


class Handler(Filterer):
    def __init__(self, *args, **kw):
        self.level = 0
        self.formatter = None
        self.name = None

    def setLevel(self, level):
        self.level = _level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def format(self, record):
        return (self.formatter or Formatter()).format(record)

    def acquire(self):
        pass

    release = createLock = acquire

    def handleError(self, record):
        pass

    def emit(self, record):
        pass

    def handle(self, record):
        pass

    def flush(self):
        pass

    def close(self):
        pass


class StreamHandler(Handler):
    terminator = '\n'

    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream

    def setStream(self, stream):
        old, self.stream = self.stream, stream
        return old


class FileHandler(StreamHandler):
    def __init__(self, filename, mode='a', encoding=None, delay=False, errors=None):
        super().__init__()
        self.baseFilename = filename
        self.mode = mode


class NullHandler(Handler):
    pass


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style='%', validate=True, **kw):
        self._fmt = fmt
        self.datefmt = datefmt

    def format(self, record):
        return ''


class LogRecord:
    def __init__(self, *args, **kw):
        pass


class Logger(Filterer):
    def __init__(self, name, level=0):
        self.name = name
        self.level = _level(level)
        self.handlers = []
        self.filters = []
        self.propagate = True
        self.disabled = False
        self.parent = None

    def setLevel(self, level):
        self.level = _level(level)

    def getEffectiveLevel(self):
        return self.level or 30

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def addHandler(self, hdlr):
        self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        return bool(self.handlers)

    def getChild(self, suffix):
        return getLogger(self.name + '.' + suffix)

    def debug(self, msg, *args, **kwargs):
        pass

    info = warning = warn = error = exception = critical = fatal = debug

    def log(self, level, msg, *args, **kwargs):
        pass

    def handle(self, record):
        pass


class LoggerAdapter(Logger):
    def __init__(self, logger, extra=None):
        super().__init__(logger.name)
        self.logger = logger
        self.extra = extra


root = Logger('root', WARNING)
_loggers = {}


class Manager:
    loggerDict = _loggers
    disable = 0


Logger.manager = Manager()
Logger.root = root


def getLogger(name=None):
    if not name:
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
    return _loggers[name]


def debug(msg, *args, **kwargs):
    pass


info = warning = warn = error = exception = critical = fatal = debug


def log(level, msg, *args, **kwargs):
    pass


def basicConfig(**kwargs):
    pass


def disable(level=CRITICAL):
    pass


def captureWarnings(capture):
    pass


def shutdown():
    pass


def getLevelName(level):
    return _level(level) if isinstance(level, str) else _names.get(level, 'Level %s' % level)


def addLevelName(level, levelName):
    _names[level] = levelName


def setLoggerClass(klass):
    pass


def getLoggerClass():
    return Logger


def getLevelNamesMapping():
    return {name: n for n, name in _names.items()}
