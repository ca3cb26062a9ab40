"""Makes random programs and records what CPython computes in them.

    python3.12 programs.py SEED COUNT | gzip -9n > programs.jsonl.gz

A line is {"program": text, "want": [repr, …], "lines": [number, …]}: the program defines
forward(), which returns a list of texts, each the repr of a value or the name of an exception;
lines says where each was noted. Of two runs with different seeds of hashes only what is equal
is kept: other texts are null.
"""
import json
import os
import random
import subprocess
import sys

RUN = '''
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
for line in sys.stdin:
    lines = []
    scope = {'__name__': 'program', 'LINES': lines, 'FRAME': sys._getframe}
    try:
        text = json.loads(line).replace('note = out.append', 'note = lambda s: (out.append(s), LINES.append(FRAME(1).f_lineno))')
        exec(compile(text, 'program.py', 'exec'), scope)
        out = scope['forward']()
    except BaseException as e:
        out = None
    print(json.dumps([out, lines]), flush=True)
'''


class Expressions:
    """Random expressions by the kind of their value; variables by kind are in scope."""

    def __init__(self, rng):
        self.rng = rng
        self.vars = {}

    def pick(self, *choices):
        return self.rng.choice(choices)

    def __call__(self, kind, depth=3):
        names = self.vars.get(kind, ())
        if names and self.rng.random() < 0.3:
            return self.rng.choice(names)
        if depth <= 0:
            return getattr(self, kind + '_literal')()
        make = self.rng.choice(FORMS[kind])
        return self.fill(make, depth - 1)

    def fill(self, form, depth):
        """Replaces {i}, {f}, … by expressions of the kind with that letter."""
        out, i = [], 0
        while i < len(form):
            if form[i] == '{' and form[i + 1:i + 2] in KINDS and form[i + 2:i + 3] == '}':
                out.append(self(KINDS[form[i + 1]], depth))
                i += 3
            elif form.startswith('<', i) and '>' in form[i:] and '|' in form[i:form.index('>', i)]:
                end = form.index('>', i)
                out.append(self.rng.choice(form[i + 1:end].split('|')))
                i = end + 1
            else:
                out.append(form[i])
                i += 1
        return ''.join(out)

    def int_literal(self):
        return str(self.pick(0, 1, 2, 3, 5, 7, 10, -1, -2, -7, 255, 1000, 2**31, -2**63, 10**20))

    def float_literal(self):
        return self.pick('0.0', '-0.0', '0.5', '1.5', '2.675', '-3.25', '1e16', '1e-7', '123456.789', '0.1', "float('inf')", "float('nan')", '1e308')

    def bool_literal(self):
        return self.pick('True', 'False')

    def str_literal(self):
        return repr(self.pick('', 'a', 'abc', 'Hello World', 'x,y,,z', '  pad ', 'ABBA', 'line\nbreak', '12', 'ß', 'naïve', 'a\tb', "it's", '%d', '{}', '日本'))

    def bytes_literal(self):
        return repr(self.pick(b'', b'a', b'abc', b'Hello World', b'x,y,,z', b' pad ', b'\x00\xff', b'12'))

    def list_literal(self):
        return '[' + ', '.join(self('int', 0) for _ in range(self.rng.randrange(5))) + ']'

    def strs_literal(self):
        return '[' + ', '.join(self('str', 0) for _ in range(self.rng.randrange(4))) + ']'

    def tuple_literal(self):
        items = [self(self.pick('int', 'str', 'float', 'bool'), 0) for _ in range(self.rng.randrange(4))]
        return '(' + ', '.join(items) + (',)' if len(items) == 1 else ')')

    def dict_literal(self):
        return '{' + ', '.join(self('str', 0) + ': ' + self('int', 0) for _ in range(self.rng.randrange(4))) + '}'

    def set_literal(self):
        return 'set([' + ', '.join(str(self.rng.randrange(-20, 200)) for _ in range(self.rng.randrange(5))) + '])'

    def slice_literal(self):
        part = lambda: self.pick('', '', '0', '1', '2', '-1', '-2', '10')
        step = self.pick('', '', '', ':1', ':2', ':-1', ':-2')
        return part() + ':' + part() + step

    def any_literal(self):
        return self(self.pick('int', 'float', 'bool', 'str', 'bytes', 'list', 'tuple', 'dict', 'set'), 0)


KINDS = {'i': 'int', 'f': 'float', 'b': 'bool', 's': 'str', 'y': 'bytes', 'l': 'list', 'S': 'strs', 't': 'tuple', 'd': 'dict', 'e': 'set', ':': 'slice', 'a': 'any'}

FORMS = {
    'int': ['{i} + {i}', '({i} - {i})', '({i} * {i})', '({i} // {i})', '({i} % {i})', '({i} <&|^|\\|> {i})', 'abs({i})', 'len({s})', 'len({l})', 'len({d})', 'len({e})', 'int({f})', 'int({b})', 'round({f})',
            '({i} if {b} else {i})', '({b} and {i})', '({i} or {i})', 'sum({l})', '<min|max>({i}, {i})', '<min|max>({l}, default={i})', '{s}.<find|rfind|count>({s})', '{s}.index({s})', '{l}[{i}]', '{l}.count({i})', '{l}.index({i})',
            '{d}.get({s}, {i})', 'ord({s})', '{y}[{i}]', '({i} << 3)', '({i} >> 2)', '(~{i})', 'divmod({i}, {i})[<0|1>]', 'pow({i}, 2)', 'pow({i}, 3, 7)', '({i}).bit_length()', '({i}).bit_count()', 'int({s})', 'int({s}, 16)',
            '{y}.<find|count>({y})', 'hash({i})', 'len({y})', '-{i}', '(lambda n, m={i}: n + m)({i})', 'round({i}, -1)', 'len(range({i}, 9, 2))', 'functools.reduce(lambda u, v: u * 2 + v, {l}, {i})', 'next(iter({l}), {i})', 'int.from_bytes({y}, <"little"|"big">)',
            'math.gcd({i}, {i})', 'math.isqrt(abs({i}) % 1000)', 'math.floor({f})', 'operator.index({i})', 'bisect.bisect(sorted({l}), {i})', 'collections.Counter({s})["a"]'],
    'float': ['{f} + {f}', '({f} - {i})', '({f} * {f})', '({i} / {i})', '({f} // {f})', '({f} % {f})', 'abs({f})', 'float({i})', 'float({s})', 'round({f}, <1|2|-2>)', 'max({f}, {f})', 'sum([{f}, {f}])', 'math.sqrt(abs({f}))', 'math.copysign({f}, {f})',
              '({f} if {b} else {f})', '-{f}', '({f} ** 2)', 'math.fmod({f}, {f})', 'math.hypot(3, 4)', 'float({b})', '({f}).conjugate()', 'math.fsum([{f}, {f}])', 'math.ldexp({f}, 2)', 'math.trunc({f}) * 0.5'],
    'bool': ['({i} <<=|==|!=|>> {i})', '({i} < {i} <= {i})', '({f} <<=|==|!=> {f})', '({s} <<=|==|in|not in> {s})', '({i} in {l})', '({s} in {d})', '({i} not in {e})', 'not {a}', '({b} and {b})', '({b} or {b})', 'bool({a})', '{s}.<isupper|islower|isdigit|isalpha|isalnum|isspace|istitle|isidentifier|isascii|isprintable|isnumeric|isdecimal>()',
             '{y}.<isupper|islower|isdigit|isalpha|isalnum|isspace|istitle>()', '{s}.<startswith|endswith>({s})', '{y}.<startswith|endswith>({y})', '({l} <<=|==|!=> {l})', '({t} == {t})', '({e} <<=|==|!=> {e})', '<any|all>({l})', '<any|all>(x > {i} for x in {l})', 'isinstance({a}, <int|float|str|(int, str)|list>)', '({d} == {d})',
             '{e}.<issubset|issuperset|isdisjoint>({e})', '({a} == {a})', '({a} is None)', 'callable({a})', 'issubclass(bool, <int|float>)', 'math.isnan({f})', '({f}).is_integer()', 'hasattr({a}, <"append"|"items"|"upper">)', '({y} < {y})'],
    'str': ['{s} + {s}', '({s} * <0|1|2|-1>)', '{s}.<upper|lower|title|capitalize|swapcase|strip|lstrip|rstrip|casefold>()', '{s}.strip({s})', '{s}.replace({s}, {s})', '{s}.replace({s}, {s}, 1)', '{s}.join({S})', 'str({a})', 'repr({a})', 'f"{{i}}|{{f}:.3f}|{{s}!r:>8}"', '"%s|%d" % ({s}, {i})', '"%5.2f" % {f}', '"%r %x" % ({a}, {i})', '"{:>8}|{!r}".format({s}, {a})', '"{:,}".format({i})', '"{0[0]}".format({l})',
            'format({i}, <"d"|"x"|"08b"|"+,d"|"_x"|"#o"|"e">)', 'format({f}, <".3f"|"e"|"g"|"10.2f"|".1%"|"+"|"">)', 'format({s}, <">5"|"^7"|"*<6"|".2">)', '{s}[{:}]', '{s}[{i}]', 'chr(abs({i}) % 1000)', '{s}.<center|ljust|rjust>({i} % 9, "*")', '{s}.zfill(5)', '{s}.expandtabs(4)', '({s} if {b} else {s})', '{s}.partition({s})[<0|1|2>]', '{s}.rpartition(",")[0]', 'bin({i})', 'hex({i})', 'oct({i})', 'ascii({s})', '{s}.removeprefix({s})', '{s}.removesuffix({s})', '{s}.translate({97: "X", 98: None})', '{y}.decode()', 'max({s}, {s})', '"".join(reversed({s}))', '"".join(sorted({s}))', 'type({a}).__name__', '{S}[{i}]', 'textwrap.dedent({s})', 'string.ascii_lowercase[{:}]',
            'json.dumps({d})', 'json.dumps({l})', 're.sub("[a-c]", "_", {s})', 'os.path.join({s}, {s})', 'os.path.basename({s})', 'str(fractions.Fraction({i}, 12))'],
    'bytes': ['{y} + {y}', '({y} * 2)', '{s}.encode()', '{y}.<upper|lower|title|capitalize|swapcase|strip>()', '{y}[{:}]', 'bytes({l})', '{y}.replace({y}, {y})', 'bytes(bytearray({y}))', '{y}.join([{y}, {y}])', 'bytes.fromhex("00ff")', '({i}).to_bytes(4, "big")', '{y}.zfill(4)', '{y}.center(7)', '(b"%d" % {i})'],
    'list': ['{l} + {l}', '({l} * <0|1|2>)', '{l}[{:}]', 'list({t})', 'list({s})', 'sorted({l})', 'sorted({l}, reverse={b})', 'sorted({S}, key=len)', 'list(reversed({l}))', '[x * 2 for x in {l}]', '[x for x in {l} if x > {i}]', '[x + y for x in {l} for y in {l}]', 'list(range({i} % 7))', 'list(range({i} % 7, {i} % 7, -1))', 'list(map(abs, {l}))', 'list(filter(None, {l}))', '[*{l}, *{t}]', 'list({d}.values())', 'list(zip({l}, {s}))', 'list(enumerate({s}))',
             'list({d})', '{s}.split(<","|" "|>)', '{s}.split(None, 1)', '{s}.splitlines()', '{s}.rsplit("l", 1)', 'list({y})', '(lambda v: (v.append({i}), v)[1])({l})', '(lambda v: (v.sort(), v)[1])({l})', '(lambda v: (v.reverse(), v.pop(), v)[2])({l})', '(lambda v: (v.insert({i} % 5, 0), v)[1])({l})', '(lambda v: (v.extend({t}), v)[1])({l})', '(lambda v: v.__setitem__(slice({i} % 4, {i} % 4), [9]) or v)({l})',
             'list(itertools.chain({l}, {l}))', 'list(itertools.islice({l}, 2))', 'list(itertools.accumulate({l}))', 'list(itertools.product({l}[:2], {s}[:2]))', 'list(itertools.combinations({l}[:4], 2))', 'list(itertools.zip_longest({l}, {s}))', '[k for k, g in itertools.groupby({s})]', 'list(dict.fromkeys({s}))', 'list(itertools.takewhile(bool, {l}))', 'list(itertools.pairwise({l}))', 'collections.Counter({s}).most_common(2)', 'list(collections.deque({l}, 3))', 're.findall("[a-m]+", {s})', 'heapq.nsmallest(2, {l})', 'list(itertools.permutations({l}[:3]))[:4]', 'copy.deepcopy([{l}, {l}])', '[y := {i}, y]', 'sorted({e})', 'json.loads("[1, 2.5, null]")'],
    'strs': ['{s}.split(",")', '{S} + {S}', 'sorted({S})', '[x.upper() for x in {S}]', 'list({s})', '{s}.partition({s})', '{S}[{:}]'],
    'tuple': ['{t} + {t}', '({t} * 2)', '{t}[{:}]', 'tuple({l})', '({a}, {a})', 'divmod({i}, {i})', '{s}.partition({s})', '(*{l}, {i})', '({t} if {b} else {t})', '({f}).as_integer_ratio()', 'tuple(x for x in {l})', 'tuple(sorted({d}.items()))', 'slice({i}, {i}).indices(5)', '(lambda *a, **k: (a, k))({i}, *{t}, z={s})', 'collections.namedtuple("P", "x y")({i}, {s})', 'math.frexp({f})', 'max(({i}, {s}), ({i}, {s}))', 'min({t}, {t})'],
    'dict': ['{**{d}, **{d}}', '({d} | {d})', '{k: v + 1 for k, v in {d}.items()}', 'dict(zip({S}, {l}))', 'dict({d}, z={i})', '{k: len(k) for k in {S}}', 'dict.fromkeys({S}, {i})', 'dict(sorted({d}.items()))', '{v: k for k, v in {d}.items()}', '(lambda q: (q.update({d}), q.pop({s}, None), q)[2])({d})', '(lambda q: (q.setdefault({s}, {i}), q)[1])({d})', 'dict(collections.Counter({s}))', 'dict(collections.ChainMap({d}, {d}))', '(lambda q: q.popitem() and q)({d})', 'dict(enumerate({s}))', '{"a": {l}, "b": {t}}', 'collections.OrderedDict({d})', 'json.loads(json.dumps({d}))'],
    'set': ['({e} <&|^|-|\\|> {e})', '{e}.<union|intersection|difference|symmetric_difference>({l})', 'set(range({i} % 9))', '{x % 5 for x in {l}}', 'frozenset({e})', 'set(map(abs, {l}))', '(lambda q: (q.add({i}), q.discard(3), q)[2])({e})'],
    'any': ['{i}', '{f}', '{b}', '{s}', '{y}', '{l}', '{t}', '{d}', '{e}', 'None', 'complex({i} % 9, 2)', 'range({i} % 9)', 'slice({i}, None)', '({a}, {a})', '[{a}, {a}]', '{"k": {a}}', '...', 'bytearray({y})', 'type({a})', '{a} + {a}', '{a} * {a}', '{a}[{i}]', '{a} <<=> {a}', '{a} % {a}', '-{a}', 'len({a})', 'sum({a})', 'iter({l}).__next__()', '{a} @ {a}', '{a}({a})', 'int({a})', 'list({a})', 'float({a})', 'sorted({a})', 'tuple({a})', 'abs({a})', 'round({a})', 'hash({a})', '{a}.upper()', '{a}.append(1)', 'decimal.Decimal({i}) / 7', 'fractions.Fraction({i}, 12)', 'functools.partial(max, {i})({i})', 'types.SimpleNamespace(a={i}, b={s})', 'getattr({a}, "real", {s})', 'min({a})', 'dict({a})', 'set({a})', 'enumerate({a}).__next__()', 'zip({a}, {a}).__next__()', 'str({a}, "ascii")', 'bool({a} or {a})'],
    'slice': [],
}
FORMS['slice'] = None


def slice_call(self, kind, depth=3):
    return self.slice_literal() if kind == 'slice' else Expressions._call(self, kind, depth)


Expressions._call, Expressions.__call__ = Expressions.__call__, slice_call

MODULES = 'bisect collections copy dataclasses decimal enum fractions functools heapq itertools json math operator os re string textwrap types contextlib'.split()


class Programs:
    """Random programs of functions, classes, generators, exceptions and statements."""

    def __init__(self, rng):
        self.rng = rng
        self.e = Expressions(rng)
        self.top, self.fresh = [], 0

    def name(self, stem):
        self.fresh += 1
        return stem + str(self.fresh)

    def program(self):
        body = []
        for _ in range(self.rng.randrange(8, 14)):
            body += self.rng.choice(self.STATEMENTS)(self)
        imports = ['import ' + m for m in MODULES if any(m + '.' in line for line in self.top + body)]
        lines = imports + [''] + self.top + ['', 'def forward():', '    out = []', '    note = out.append'] + ['    ' + l for l in body] + ['    return out', '']
        return '\n'.join(lines)

    def noted(self, text):
        """The value of an expression, or the exception that it raises."""
        if self.rng.random() < 0.15:
            return ['note(repr(' + text + '))'] if self.safe(text) else self.guarded(text)
        return self.guarded(text)

    def safe(self, text):
        return False

    def guarded(self, text):
        return ['try:', '    note(repr(%s))' % text, 'except Exception as err:', '    note(type(err).__name__)']

    def expression(self):
        kind = self.rng.choice(['int', 'float', 'bool', 'str', 'bytes', 'list', 'tuple', 'dict', 'set', 'any', 'any'])
        return self.guarded(self.e(kind, self.rng.randrange(1, 4)))

    def assign(self):
        kind = self.rng.choice(['int', 'float', 'str', 'list', 'dict', 'set', 'tuple'])
        v, text = self.name('v'), self.e(kind, 2)
        lines = ['try:', '    %s = %s' % (v, text), 'except Exception as err:', '    %s = %s' % (v, self.e(kind, 0)), '    note(type(err).__name__)']
        self.e.vars.setdefault(kind, []).append(v)
        return lines

    def unpack(self):
        a, b, c = self.name('a'), self.name('b'), self.name('c')
        source = self.e(self.rng.choice(['list', 'tuple', 'str', 'dict']), 2)
        target = self.rng.choice(['%s, %s, %s', '%s, *%s, %s', '%s, (%s, %s)', '*%s, %s, %s', '[%s, [%s, *%s]]']) % (a, b, c)
        return ['try:', '    %s = %s' % (target, source), '    note(repr((%s, %s, %s)))' % (a, b, c), 'except Exception as err:', '    note(type(err).__name__)']

    def augmented(self):
        kind = self.rng.choice(['int', 'list', 'str', 'set', 'dict', 'float', 'tuple'])
        v = self.name('g')
        op = {'int': ['+', '-', '*', '//', '%', '&', '|', '^', '<<'], 'list': ['+'], 'str': ['+'], 'set': ['|', '&', '-', '^'], 'dict': ['|'], 'float': ['+', '*', '/'], 'tuple': ['+']}[kind]
        return ['try:', '    %s = w = %s' % (v, self.e(kind, 1)), '    %s %s= %s' % (v, self.rng.choice(op), self.e(kind, 1).replace('1000', '3') if kind == 'int' else self.e(kind, 1)),
                '    note(repr((%s, w, %s is w)))' % (v, v) if kind in ('list', 'set', 'dict') else '    note(repr((%s, w)))' % v, 'except Exception as err:', '    note(type(err).__name__)']

    def items(self):
        v = self.name('m')
        what = self.rng.choice(['%s[%s] = %s' % (v, self.e('int', 1), self.e('int', 1)), '%s[%s] = %s' % (v, self.e('slice'), self.e('list', 1)), 'del %s[%s]' % (v, self.e('slice')), 'del %s[%s]' % (v, self.e('int', 1)), '%s.remove(%s)' % (v, self.e('int', 0))])
        return ['%s = %s' % (v, self.e('list', 0)), 'try:', '    ' + what, 'except Exception as err:', '    note(type(err).__name__)', 'note(repr(%s))' % v]

    def loop(self):
        x, n = self.name('x'), self.name('n')
        exits = self.rng.choice(['if %s == %s:' % (x, self.e('int', 0)), 'if %s == %s and %s:' % (x, self.e('int', 0), self.e('bool', 1))])
        return ['%s = 0' % n, 'try:', '    for %s in %s:' % (x, self.e('list', 2)), '        ' + exits, '            ' + self.rng.choice(['break', 'continue', '%s += 10' % n]), '        %s += 1' % n, '    else:', '        note("else")',
                '    note(repr((%s, %s)))' % (n, x), 'except Exception as err:', '    note(type(err).__name__)']

    def while_loop(self):
        n = self.name('n')
        return ['%s, seen = %d, []' % (n, self.rng.randrange(9)), 'while %s > 0:' % n, '    %s -= %d' % (n, self.rng.randrange(1, 3)), '    if %s %% 3 == 1: continue' % n, '    seen.append(%s)' % n,
                '    if len(seen) > %d: break' % self.rng.randrange(1, 5), 'else:', '    seen.append("end")', 'note(repr((seen, %s)))' % n]

    def handlers(self):
        first, second = self.rng.sample(['ValueError', 'TypeError', 'KeyError', 'IndexError', 'ZeroDivisionError', 'AttributeError', 'LookupError', 'ArithmeticError'], 2)
        log = self.name('log')
        return ['%s = []' % log, 'try:', '    try:', '        %s.append(repr(%s))' % (log, self.e('any', 2)), '    except %s as err:' % first, '        %s.append("%s")' % (log, first), '        ' + self.rng.choice(['raise', 'raise %s("again") from err' % second, 'pass', 'raise RuntimeError(str(1))']),
                '    else:', '        %s.append("else")' % log, '    finally:', '        %s.append("finally")' % log, 'except (%s, %s) as err:' % (first, second), '    %s.append((type(err).__name__, type(err.__cause__).__name__, type(err.__context__).__name__))' % log,
                'except Exception as err:', '    %s.append(type(err).__name__)' % log, 'note(repr(%s))' % log]

    def function(self):
        f = self.name('f')
        params = self.rng.choice(['a, b', 'a, b=2', 'a, *b', 'a, /, b=3', 'a, *, b=4', 'a, **b', '*a, b=5', 'a, b=[]'])
        self.top += ['def %s(%s):' % (f, params), '    ' + self.rng.choice(['return (a, b)', 'return [b, a]', 'yield a; yield b', 'return {"a": a, "b": b}', 'b.append(a); return b', 'return lambda c=a: (c, b)']), '']
        call = self.rng.choice(['1', '1, 2', 'a=1', '1, b=7', '*%s' % self.e('list', 0), '1, **%s' % '{"b": 6}', '1, 2, 3', '1, c=3', ''])
        text = '%s(%s)' % (f, call)
        how = self.rng.choice(['%s', 'list(%s)', '%s()', 'next(%s)'])
        return self.guarded('(lambda r: r if not callable(r) and not hasattr(r, "send") else "other")(' + how % text + ')')

    def generator(self):
        g, v = self.name('gen'), self.name('it')
        self.top += ['def %s(n):' % g, '    got = []', '    try:', '        for i in range(n):', '            %s' % self.rng.choice(['x = yield i', 'x = yield i * 2', 'x = yield from [i, i + 1]']), '            got.append(x)',
                     '            if i == %d: %s' % (self.rng.randrange(4), self.rng.choice(['return got', 'raise ValueError(i)', 'continue', 'break'])),
                     '    except %s as err:' % self.rng.choice(['KeyError', 'ValueError', 'GeneratorExit', 'RuntimeError']), '        got.append(type(err).__name__)', '        %s' % self.rng.choice(['yield "caught"', 'raise', 'return "done"']),
                     '    finally:', '        got.append("end")', '    return tuple(got)', '']
        lines = ['%s = %s(%d)' % (v, g, self.rng.randrange(4))]
        for _ in range(self.rng.randrange(2, 6)):
            act = self.rng.choice(['next(%s)', 'next(%s, "none")', '%s.send("s")', '%s.send(None)', '%s.throw(ValueError("t"))', '%s.throw(KeyError)', '%s.close()', 'list(%s)']) % v
            lines += ['try:', '    note(repr(%s))' % act, 'except StopIteration as err:', '    note("stop " + repr(err.value))', 'except BaseException as err:', '    note(type(err).__name__ + repr(err.args))']
        return lines

    def klass(self):
        c, d = self.name('C'), self.name('D')
        rng = self.rng
        special = rng.sample([
            ['def __len__(self):', '    return self.n'],
            ['def __bool__(self):', '    return self.n > 1'],
            ['def __eq__(self, other):', '    return isinstance(other, %s) and self.n == other.n' % c],
            ['def __hash__(self):', '    return hash(self.n)'],
            ['def __lt__(self, other):', '    return self.n < other.n'],
            ['def __add__(self, other):', '    return %s(self.n + getattr(other, "n", 1))' % c],
            ['def __radd__(self, other):', '    return ("radd", other)'],
            ['def __iadd__(self, other):', '    self.n += 5', '    return self'],
            ['def __getitem__(self, i):', '    if isinstance(i, int) and i > 3: raise IndexError(i)', '    return (self.n, i)'],
            ['def __contains__(self, x):', '    return x == self.n'],
            ['def __call__(self, *a):', '    return len(a) + self.n'],
            ['def __iter__(self):', '    return iter(range(self.n % 5))'],
            ['def __getattr__(self, name):', '    if name.startswith("z"): return name', '    raise AttributeError(name)'],
            ['def __enter__(self):', '    return self.n', '', 'def __exit__(self, kind, err, trace):', '    return kind is ' + rng.choice(['None', 'KeyError', 'ValueError'])],
            ['def __format__(self, spec):', '    return "<" + spec + ">"'],
            ['def __str__(self):', '    return "str%d" % self.n'],
            ['def __index__(self):', '    return self.n'],
            ['def __neg__(self):', '    return -self.n'],
            ['def __setattr__(self, name, v):', '    object.__setattr__(self, name, v if name != "m" else v * 2)'],
        ], rng.randrange(2, 8))
        body = ['    tag = "base"', '    def __init__(self, n=%d):' % rng.randrange(4), '        self.n = n', '', '    def __repr__(self):', '        return "%s(" + repr(self.n) + ")"' % c, '']
        for s in special:
            body += ['    ' + l for l in s] + ['']
        body += rng.choice([['    @property', '    def double(self):', '        return self.n * 2', '', '    @double.setter', '    def double(self, v):', '        self.n = v // 2', ''],
                            ['    @staticmethod', '    def double(x=3):', '        return x * 2', ''], ['    @classmethod', '    def double(cls):', '        return cls.tag * 2', ''],
                            ['    @functools.cached_property', '    def double(self):', '        self.n += 1', '        return self.n', '']])
        self.top += ['class %s:' % c] + body
        self.top += ['class %s(%s):' % (d, c), '    tag = "derived"', '    ' + rng.choice(['pass', 'def __init__(self, n=2):\n        super().__init__(n + 1)\n        self.m = n', '__slots__ = ()', 'def __len__(self):\n        return 7', 'def double(self):\n        return super().double']), '']
        lines, v = [], self.name('o')
        lines.append('%s = %s(%s)' % (v, rng.choice([c, d]), rng.choice(['', '1', '3'])))
        for _ in range(rng.randrange(3, 7)):
            lines += self.guarded((rng.choice(['len({o})', 'bool({o})', '{o} == {o}', '{o} == %s(2)' % c, '{o} + 1', '1 + {o}', '{o} + {o}', '{o} < %s(1)' % d, 'sorted([{o}, %s(0)])' % c, '{o}[1]', '{o}[9]', '2 in {o}', '{o}(1, 2)', 'list({o})', '{o}.double', '{o}.zeta', '{o}.other', 'f"{{o}:abc}"', 'str({o})', '[1, 2, 3][{o}]', '-{o}', '{o}.tag',
                                           'hash({o}) == hash({o})', 'type({o}).__name__', 'isinstance({o}, %s)' % d, '{o}.__dict__', 'setattr({o}, "double", 8)', 'setattr({o}, "m", 4) or {o}.m', 'type({o}).__mro__[1].__name__', 'vars({o})', 'hasattr({o}, "m")', 'max({o}, %s(1))' % c, '{{o}: 1}[{o}]', '{o}.double()', 'issubclass(type({o}), %s)' % c, 'getattr({o}, "tag", 0)', 'range({o})', '{o} += 1']).replace('{o}', v)).replace('%s += 1' % v, '(%s := operator.iadd(%s, 1))' % (v, v)))
        return lines

    def context(self):
        m, log = self.name('manager'), self.name('log')
        self.top += ['@contextlib.contextmanager', 'def %s(log, swallow):' % m, '    log.append("in")', '    try:', '        yield len(log)', '    except %s:' % self.rng.choice(['ValueError', 'KeyError', 'Exception']), '        log.append("caught")', '        if not swallow: raise', '    finally:', '        log.append("out")', '']
        return ['%s = []' % log, 'try:', '    with %s(%s, %s) as n, contextlib.suppress(%s):' % (m, log, self.rng.choice(['True', 'False']), self.rng.choice(['IndexError', 'TypeError'])), '        %s.append(n)' % log, '        %s.append(%s)' % (log, self.e('any', 2)), '    %s.append("after")' % log, 'except Exception as err:', '    %s.append(type(err).__name__)' % log, 'note(repr(%s))' % log]

    def match(self):
        f = self.name('match')
        self.top += ['def %s(v):' % f, '    match v:'] + ['        case %s:\n            return %s' % p for p in self.rng.sample([('int(n) if n > 2', '("int", n)'), ('[a, *rest]', '("list", a, rest)'), ('{"k": x, **more}', '("dict", x, more)'), ('str() | bytes()', '"text"'), ('(a, b)', '("pair", a, b)'), ('None', '"none"'), ('0 | 1', '"bit"'), ('float(x)', '("float", x)'), ('[]', '"empty"'), ('True', '"true"'), ('{}', '"any dict"')], 5)] + ['        case other:', '            return ("other", repr(other))', '']
        return self.guarded('%s(%s)' % (f, self.e(self.rng.choice(['any', 'list', 'int', 'tuple', 'dict']), 1))) + self.guarded('%s(%s)' % (f, self.e('any', 1)))

    def data_class(self):
        c = self.name('Data')
        options = self.rng.choice(['', '(frozen=True)', '(order=True)', '(eq=False, repr=True)', '(unsafe_hash=True)', '(kw_only=True)', '(slots=True)'])
        self.top += ['@dataclasses.dataclass' + options, 'class %s:' % c, '    a: int', '    b: str = "x"', '    c: list = dataclasses.field(default_factory=list%s)' % self.rng.choice(['', ', repr=False', ', compare=False']), '', '    def __post_init__(self):', '        %s' % self.rng.choice(['pass', 'self.a += 1']), '']
        v = self.name('o')
        lines = ['try:', '    %s = %s(%s)' % (v, c, self.rng.choice(['1', 'a=2, b="y"', '3, "z", [1]', '']))]
        for t in self.rng.sample(['repr({o})', 'repr({o} == %s(1))' % c, 'repr(dataclasses.asdict({o}))', 'repr(dataclasses.replace({o}, a=9))', 'repr({o} < {o})', 'repr([f.name for f in dataclasses.fields({o})])', 'repr(dataclasses.astuple({o}))', 'repr(hash({o}) == hash({o}))', 'repr(setattr({o}, "b", 1))'], 3):
            lines += ['    note(%s)' % t.replace('{o}', v)]
        return lines + ['except Exception as err:', '    note(type(err).__name__)']

    def enumeration(self):
        c = self.name('Color')
        base = self.rng.choice(['enum.Enum', 'enum.IntEnum', 'enum.Flag', 'str, enum.Enum', 'enum.IntFlag'])
        vals = ['"a"', '"b"', '"c"'] if base.startswith('str') else ['1', '2', '4']
        if base == 'enum.Enum' and self.rng.random() < 0.4:
            vals = ['enum.auto()'] * 3
        self.top += ['class %s(%s):' % (c, base)] + ['    %s = %s' % p for p in zip(['RED', 'GREEN', 'BLUE'], vals)] + ['']
        lines = []
        for t in self.rng.sample(['{c}.RED', '{c}.RED.value', '{c}.GREEN.name', 'list({c})', '{c}(2)', '{c}["BLUE"]', '{c}.RED == 1', '{c}.RED | {c}.BLUE', 'str({c}.RED)', '{c}.RED in {c}', 'len({c})', 'f"{{c}.GREEN}"', '{c}.RED < {c}.GREEN', '{c}("b")', '{{c}.RED: 1}[{c}.RED]', '{c}.RED.upper()', '{c}.__members__["RED"]', 'isinstance({c}.RED, int)', '{c}.RED + 1', '{c}.NONE'], 4):
            lines += self.guarded(t.replace('{c}', c))
        return lines

    def closure(self):
        f = self.name('counter')
        self.top += ['def %s(start):' % f, '    total = start', '    def add(n=1):', '        nonlocal total', '        total += n', '        return total', '    def read():', '        return total', '    return add, read', '']
        v, fs = self.name('add'), self.name('fs')
        return ['%s, read = %s(%d)' % (v, f, self.rng.randrange(5)), '%s(); %s(4)' % (v, v), 'note(repr(read()))', '%s = [lambda: i for i in range(3)]' % fs, 'note(repr([f() for f in %s]))' % fs, 'note(repr([(lambda j=i: j)() for i in range(3)]))']

    def decorated(self):
        d, f = self.name('deco'), self.name('f')
        self.top += ['def %s(times):' % d, '    def wrap(fn):', '        @functools.wraps(fn)', '        def inner(*args, **kwargs):', '            return [fn(*args, **kwargs) for _ in range(times)]', '        return inner', '    return wrap', '', '@%s(%d)' % (d, self.rng.randrange(4)),
                     self.rng.choice(['', '@functools.lru_cache(None)\n', '@functools.lru_cache\n']) + 'def %s(a, b=2):' % f, '    "doc"', '    return a * b', '']
        return self.guarded('%s(%s)' % (f, self.rng.choice(['3', '"x"', '2, b=5', '[1]', '', '1, 2, 3']))) + ['note(repr((%s.__name__, %s.__doc__)))' % (f, f)]

    STATEMENTS = [expression, expression, expression, expression, assign, unpack, augmented, items, loop, while_loop, handlers, function, generator, klass, klass, context, match, data_class, enumeration, closure, decorated]


def run(programs, seed):
    r = subprocess.Popen([sys.executable, '-W', 'ignore', '-c', RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, 'PYTHONHASHSEED': str(seed)})
    out, _ = r.communicate(''.join(json.dumps(p) + '\n' for p in programs))
    return [json.loads(line) for line in out.splitlines()]


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    programs = []
    for _ in range(count):
        programs.append(Programs(random.Random(rng.random())).program())
    first, second = run(programs, 1), run(programs, 2)
    for p, (a, lines), (b, _) in zip(programs, first, second):
        if a is None or b is None or any('MemoryError' in x for x in a + b):
            continue
        want = [x if a == b or x == y else None for x, y in zip(a, b)] if len(a) == len(b) else [None] * len(a)
        want = [None if w is not None and ' at 0x' in w else w for w in want]
        print(json.dumps({'program': p, 'want': want, 'lines': lines}))


if __name__ == '__main__':
    main()
