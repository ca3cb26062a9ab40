# The module textwrap. Lines are known where only single blanks can be broken at.
from _shapecheck import unknown


def dedent(text):
    lines = text.split('\n')
    margin = None
    for line in lines:
        if line.strip():
            lead = line[:len(line) - len(line.lstrip())]
            if margin is None:
                margin = lead
            while not lead.startswith(margin):
                margin = margin[:-1]
    margin = margin or ''
    return '\n'.join([line[len(margin):] if line.strip() else '' for line in lines])


def indent(text, prefix, predicate=None):
    keep = predicate or (lambda s: s.strip())
    return ''.join([prefix + line if keep(line) else line for line in text.splitlines(True)])


def wrap(text, width=70, **kwargs):
    if width <= 0:
        raise ValueError('invalid width %r (must be > 0)' % (width,))
    words = text.split()
    if kwargs or '-' in text or text.replace('\n', ' ') != ' '.join(words) or [w for w in words if len(w) > width]:
        return unknown('the lines of a text')
    lines = []
    line = ''
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = line + ' ' + word if line else word
    return lines + [line] if line else lines


def fill(text, width=70, **kwargs):
    return '\n'.join(wrap(text, width, **kwargs))


def shorten(text, width, placeholder=' [...]', **kwargs):
    text = ' '.join(text.split())
    if len(text) <= width:
        return text
    return wrap(text, width - len(placeholder))[0] + placeholder
