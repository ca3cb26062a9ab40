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
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        if type(self) is Formatter:
            return format_string.format(*args, **kwargs)
        used = set()
        result, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return result

    def _vformat(self, format_string, args, kwargs, used, depth, auto=0):
        if depth < 0:
            raise ValueError('Max string recursion exceeded')
        parts = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                parts.append(literal)
            if name is None:
                continue
            first = _first(name)
            if first == '':
                if auto is False:
                    raise ValueError('cannot switch from manual field specification to automatic field numbering')
                name = str(auto) + name
                auto += 1
            elif isinstance(first, int):
                if auto:
                    raise ValueError('cannot switch from manual field specification to automatic field numbering')
                auto = False
            obj, key = self.get_field(name, args, kwargs)
            used.add(key)
            obj = self.convert_field(obj, conversion)
            spec, auto = self._vformat(spec, args, kwargs, used, depth - 1, auto)
            parts.append(self.format_field(obj, spec))
        return ''.join(parts), auto

    def get_value(self, key, args, kwargs):
        if isinstance(key, int):
            return args[key]
        return kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == 's':
            return str(value)
        if conversion == 'r':
            return repr(value)
        if conversion == 'a':
            return ascii(value)
        raise ValueError('Unknown conversion specifier {0!s}'.format(conversion))

    def parse(self, format_string):
        at = 0
        while at < len(format_string):
            end = at
            while end < len(format_string) and format_string[end] not in '{}':
                end += 1
            literal, brace, after = format_string[at:end], format_string[end:end + 1], format_string[end + 1:end + 2]
            if not brace:
                yield literal, None, None, None
                return
            if after == brace:
                yield literal + brace, None, None, None
                at = end + 2
                continue
            if brace == '}' or not after:
                raise ValueError("Single '" + brace + "' encountered in format string")
            depth, last = 1, end + 1
            while last < len(format_string):
                depth += {'{': 1, '}': -1}.get(format_string[last], 0)
                if depth == 0:
                    break
                last += 1
            if depth:
                raise ValueError("expected '}' before end of string")
            yield (literal,) + _parts(format_string[end + 1:last])
            at = last + 1

    def get_field(self, field_name, args, kwargs):
        import re
        first = _first(field_name)
        obj = self.get_value(first, args, kwargs)
        rest = field_name[len(str(first)):]
        for attr, index in re.findall(r'\.([^.\[]*)|\[([^\]]*)\]', rest):
            if attr:
                obj = getattr(obj, attr)
            else:
                obj = obj[int(index) if index.isdecimal() else index]
        return obj, first


def _first(name):
    for i, c in enumerate(name):
        if c in '.[':
            name = name[:i]
            break
    return int(name) if name.isdecimal() else name


# The name, the format and the conversion of a field.
def _parts(field):
    inside = False
    for i, c in enumerate(field):
        inside = c == '[' or inside and c != ']'
        if inside or c not in '!:':
            continue
        if c == ':':
            return field[:i], field[i + 1:], None
        if i + 1 == len(field):
            raise ValueError("end of string while looking for conversion specifier")
        if field[i + 2:i + 3] not in ('', ':'):
            raise ValueError("expected ':' after conversion specifier")
        return field[:i], field[i + 3:], field[i + 1]
    return field, '', None
