# The module datetime: intervals are computed; points in time are not known.
from _shapecheck import unknown

MINYEAR, MAXYEAR = 1, 9999


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        self._seconds = (days + weeks * 7) * 86400 + hours * 3600 + minutes * 60 + seconds + milliseconds / 1000 + microseconds / 1000000

    def total_seconds(self):
        return self._seconds

    @property
    def days(self):
        return int(self._seconds // 86400)

    @property
    def seconds(self):
        return int(self._seconds % 86400)

    def __add__(self, other):
        return timedelta(seconds=self._seconds + other._seconds) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return timedelta(seconds=self._seconds - other._seconds) if isinstance(other, timedelta) else NotImplemented

    def __mul__(self, n):
        return timedelta(seconds=self._seconds * n)

    __rmul__ = __mul__

    def __truediv__(self, n):
        return self._seconds / n._seconds if isinstance(n, timedelta) else timedelta(seconds=self._seconds / n)

    def __str__(self):
        return unknown('the text of an interval')


class _Point:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return unknown('a point in time')

    def __sub__(self, other):
        return unknown('a point in time')

    def __add__(self, other):
        return self

    __radd__ = __add__

    def __str__(self):
        return unknown('a point in time')

    def __format__(self, spec):
        return unknown('a point in time')

    def strftime(self, format):
        return unknown('a point in time')

    def isoformat(self, *args, **kwargs):
        return unknown('a point in time')

    @classmethod
    def now(cls, tz=None):
        return cls()

    utcnow = today = fromtimestamp = strptime = fromisoformat = combine = now


class date(_Point):
    pass


class datetime(date):
    @classmethod
    def strptime(cls, text, format):
        return cls()

    combine = strptime


class time(_Point):
    pass


class tzinfo:
    pass


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        self.offset = offset


timezone.utc = timezone(timedelta(0))
UTC = timezone.utc
