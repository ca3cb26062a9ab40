# The module textwrap.


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
    lines = []
    line = ''
    for word in text.split():
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
