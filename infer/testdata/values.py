"""Records what Python's expressions give: python3.12 values.py > values.txt

Each line of values.txt is an expression and its repr, or ? where the text differs
between runs: by the seed of hashes, by addresses, clocks or random numbers.
"""
import os, re, subprocess, sys

EXPRESSIONS = r"""
frozenset([1])
frozenset()
{1, 'a'}
{'b', 'a'}
{None, 1}
frozenset('ab')
repr({(1, 2), (3, 4)})
{'a'}
[{'x', 'y'}]
str({'k': {'x', 'y'}})
f"{ {'x', 'y'} }"
'%s' % ({'x', 'y'},)
sorted({'b', 'a'})
len({'b', 'a'})
sum([0.1] * 10)
sum([1, 2.5])
sum([[1], [2]], [])
min([3, 1, 2])
max('abc', key=ord)
round(2.675, 2)
divmod(-7, 2)
divmod(-7.5, 2)
'abc'.encode('utf-16-le')
'é'.encode('utf-16')
b'a\x00b\x00'.decode('utf-16-le')
'a€'.encode('utf-32-be')
b'abc'.translate(None, b'a')
b'abc'.translate(bytes(range(256))[::-1])
b','.join([b'a', bytearray(b'b')])
b'a\tb'.expandtabs(4)
b'Hello'.hex(':')
b'Hello'.hex('-', 2)
bytes(range(3))
bytearray(b'ab')
memoryview(b'ab')[1]
format(0.0, '.1')
f'{-0.0:{7}.{1}}'
format(1234567.891, ',.2f')
format(-5, '=+8_d')
'{:>{w}}'.format('x', w=4)
'%-5d|%+.3e' % (3, 4.5)
'ŉẞςıᏸ'.casefold()
hash('')
tuple({1.0, -2**63, b''})
bytes([10**20]) if 0 else 2**64 in range(3)
f'{"é"!a}'
ascii('日本')
(0.1).hex()
(0.1).as_integer_ratio()
(255).to_bytes(2, 'little')
int.from_bytes(b'\xff\x00', 'little', signed=True)
range(3, -1, -2)
range(9)[2::3]
range(5).index(3)
list(enumerate('ab', 2))
list(zip('ab', range(3)))
slice(1, None).indices(5)
[1, 2, 3][::-1]
'abc'[-2:]
(1, 'a')[5:]
{'a': 1} | {'b': 2}
dict.fromkeys('ab', 0)
{1: 'x'}.items()
{}.keys()
hash(None) == hash(None)
hash(-1)
hash((1, 2))
id(1) == id(1)
complex(1, -2.5)
(1+2j) * 3
-2 ** 0.5
(-8) ** (1/3)
10 ** 30 % 7
pow(3, -1, 7)
__import__('math').cos(0.1)
__import__('math').tan(3.14159)
__import__('math').hypot(3.5, 4.25)
__import__('math').atan2(1.5, -2.5)
__import__('math').fsum([0.1] * 10)
__import__('math').comb(10**20, 2)
__import__('math').perm(2**64, 2)
__import__('collections').OrderedDict(a=1)
__import__('collections').OrderedDict([(1, 2)]).items()
__import__('collections').Counter({'a': 2, 'b': 3})
__import__('collections').Counter('abca')
__import__('collections').deque([1, 2], maxlen=3)
__import__('re').match(r'(\w)(\w)?', 'ab')
__import__('re').match(r'x', 'ab')
__import__('re').sub('a|b', 'x', 'cab')
__import__('itertools').count(3)
__import__('random').random()
__import__('random').random() * 2
__import__('random').random() < 0.5
[__import__('random').random()]
-__import__('random').random()
round(__import__('random').random(), 1)
f'{__import__("random").random():.3f}'
'a' in str(__import__('random').random())
__import__('random').choice([1.5, 'a'])
__import__('time').time()
__import__('os').getcwd()
__import__('math').modf(__import__('random').random())
sum([__import__('random').random()])
max(__import__('random').random(), 5.5) + 1
int(__import__('random').random() * 10)
(lambda: 0)
len
object()
iter([])
next(iter({'a', 'b'}))
hash((1.5, (2, -1), ()))
hash((1, None))
hash(slice(-1, None))
hash(type('T', (tuple,), {'__hash__': lambda self: 5})((1, None)))
[str(__import__('fractions').Fraction(s)) for s in ('1_000/3', ' -3/4 ', '1e3', '-1.5e-2', '1 / 2', '+.5', '1.')]
list({(1, 2), (3, 4), (0, 7), (2, 2)})
'İ'.lower().encode('utf-16-be')
format(-0.0, 'z.1f')
__import__('math').sin(1e22)
__import__('math').acos(0.3)
b'\xc3\xa4'.replace(b'', b'-').center(9, b'*')
__import__('decimal').Decimal('1.10')
__import__('decimal').Decimal(1) / 3 > 0.3
__import__('collections').Counter('ab') | {'a': 3}
"""

if __name__ == "__main__":
    if len(sys.argv) > 1:
        for e in EXPRESSIONS.strip("\n").split("\n"):
            print(repr(eval(e)))
        sys.exit()
    runs = []
    for seed in range(40):
        env = dict(os.environ, PYTHONHASHSEED=str(seed))
        runs.append(subprocess.run([sys.executable, __file__, "run"], env=env, capture_output=True, text=True, check=True).stdout.split("\n"))
    for i, e in enumerate(EXPRESSIONS.strip("\n").split("\n")):
        texts = {r[i] for r in runs}
        text = texts.pop() if len(texts) == 1 else "?"
        print(e + "\t" + ("?" if re.search(" at 0x[0-9a-f]+", text) or "getcwd" in e else text))
