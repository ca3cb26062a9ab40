# The module string.

whitespace = ' \t\n\r\v\f'
ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = digits + 'abcdefABCDEF'
octdigits = '01234567'
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or ' ').join([w.capitalize() for w in s.split(sep)])


class Template:
    def __init__(self, template):
        self.template = template

    def _fill(self, mapping, kws, safe):
        import re

        def convert(m):
            if m.group('escaped') is not None:
                return '$'
            name = m.group('named') or m.group('braced')
            if name is None:
                if safe:
                    return m.group()
                raise ValueError('Invalid placeholder in string')
            if name in kws:
                return str(kws[name])
            if safe and name not in mapping:
                return m.group()
            return str(mapping[name])
        return re.sub(r'\$(?:(?P<escaped>\$)|(?P<named>[_a-zA-Z][_a-zA-Z0-9]*)|{(?P<braced>[_a-zA-Z][_a-zA-Z0-9]*)}|)', convert, self.template)

    def substitute(self, mapping={}, /, **kws):
        return self._fill(mapping, kws, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._fill(mapping, kws, True)


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return format_string.format(*args, **kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
