package hostile

// kinds are what programs ask for.
//
// A kind is a small program with a number $N in it; sizes are the numbers that it is run with.
// The programs are valid Python which a naive interpreter would spend unbounded time or memory
// on, or would follow without an end. What counts is that infer ends within its limits, with any
// answer. $N0 and the like are $N with zeros behind it.
var kinds = join(valueKinds, sizeKinds, textKinds, containerKinds, classKinds, typeKinds, codeKinds, tensorKinds, arrayKinds, moduleKinds,
	sourceKinds)

func join(families ...[]kind) []kind {
	var out []kind
	for _, f := range families {
		out = append(out, f...)
	}
	return out
}

// valueKinds are values that hold themselves, and values that share their parts. A lattice is a
// value whose parts are shared: $N levels in memory, and 2^$N when it is walked as a tree.
var valueKinds = []kind{
	{name: "list in itself as an index", text: "a = []\na.append(a)\nr = x[a]", sizes: []int{1}},
	{name: "list in itself in a tuple as an index", text: "a = []\na.append(a)\nr = x[(a,)]", sizes: []int{1}},
	{name: "list in itself as sizes", text: "a = [2]\na.append(a)\nr = torch.zeros(a)", sizes: []int{1}},
	{name: "list in itself as elements", text: "a = [2]\na.append(a)\nr = torch.tensor(a), np.array(a)", sizes: []int{1}},
	{name: "dict in itself", text: "a = {}\na['a'] = a\nr = [a, str(a), a == a, [a]]", sizes: []int{1}},
	{name: "object in itself", text: "class A: pass\na = A()\na.a = [a]\nr = [a, vars(a)]", sizes: []int{1}},
	{name: "deep list", text: "r = [x]\nfor i in range($N):\n    r = [r]", sizes: some},
	{name: "deep tuple compared", text: "a = ()\nb = ()\nfor i in range($N):\n    a = (a,)\n    b = (b,)\nr = a == b, hash(a)", sizes: some},
	{name: "lattice of tuples", text: "r = x\nfor i in range($N):\n    r = (r, r)", sizes: doubled},
	{name: "lattice of lists", text: "r = x\nfor i in range($N):\n    r = [r, r]", sizes: doubled},
	{name: "lattice of dicts", text: "r = x\nfor i in range($N):\n    r = {'a': r, 'b': r}", sizes: doubled},
	{name: "lattice of numbers", text: "r = 1\nfor i in range($N):\n    r = (r, r)\nr = hash(r), r", sizes: doubled},
	{name: "lattice of objects", text: "class A: pass\nr = x\nfor i in range($N):\n    a = A()\n    a.a = a.b = r\n    r = a", sizes: doubled},
	{name: "lattice of arrays", text: "r = [1, 2]\nfor i in range($N):\n    r = [r, r]\nr = np.array(r)", sizes: doubled},
	{name: "lattice of tensors' elements", text: "r = [1, 2]\nfor i in range($N):\n    r = [r, r]\nr = torch.tensor(r)", sizes: doubled},
	{name: "lattice of dims", text: "a = [1, 2]\nfor i in range($N):\n    a = [a, a]\nr = torch.zeros(a)", sizes: doubled},
	{name: "lattice as an index", text: "a = [1, 2]\nfor i in range($N):\n    a = [a, a]\nr = x[a]", sizes: doubled},
	{name: "lattice of partials", text: "import functools\nr = max\nfor i in range($N):\n    r = functools.partial(r, r)", sizes: doubled},
	{name: "lattice copied", text: "import copy\na = x\nfor i in range($N):\n    a = [a, a]\nr = len(copy.deepcopy(a))", sizes: doubled},
	{name: "lattice compared", text: "a = b = 1\nfor i in range($N):\n    a = [a, a]\n    b = [b, b]\nr = a == b", sizes: doubled},
	{name: "lattice in isinstance", text: "a = int\nfor i in range($N):\n    a = (a, a)\nr = isinstance('', a)", sizes: doubled},
	{name: "lattice in startswith", text: "a = 'b'\nfor i in range($N):\n    a = (a, a)\nr = 'a'.startswith(a)", sizes: doubled},
	{name: "lattice as JSON", text: "import json\na = 1\nfor i in range($N):\n    a = [a, a]\nr = json.dumps(a)", sizes: doubled},
	{name: "lattice of str", text: "a = 1\nfor i in range($N):\n    a = [a, a]\nr = str(a), '%s' % (a,), f'{a}'", sizes: doubled},
	{name: "lattice of pytree", text: "from torch.utils import _pytree as p\na = x\nfor i in range($N):\n    a = [a, a]\nr = p.tree_map(lambda y: y, a)", sizes: doubled},
	{name: "lattice of slices", text: "a = 1\nfor i in range($N):\n    a = slice(a, a)\nr = a == a, repr(a), hash((a,))", sizes: doubled},
	{name: "lattice of exceptions", text: "a = Exception()\nfor i in range($N):\n    a = Exception(a, a)\nr = repr(a), str(a)\nraise a",
		sizes: doubled},
	{name: "lattice of exception groups", text: "a = ValueError()\nfor i in range($N):\n    a = ExceptionGroup('a', [a, a])\nraise a",
		sizes: doubled},
	{name: "lattice of defaults", text: "a = x\nfor i in range($N):\n    def g(b=a, c=a): return b\n    a = g\nr = a", sizes: doubled},
	{name: "lattice of choices", text: "r = x\nfor i in range($N):\n    if x[0, 0] > i:\n        r = (r, None)", sizes: doubled},
	{name: "lattice of warnings", text: "import warnings\na = 1\nfor i in range($N):\n    a = (a, a)\nwarnings.warn(str(a))\nr = a",
		sizes: doubled},
}

// sizeKinds are expressions of sizes. They attack the algebra of sizes: numbers of digits, of
// terms, of nesting, and conditions that cannot be decided cheaply.
var sizeKinds = []kind{
	{name: "power of a size", text: "for i in range($N):\n    n = n ** 2\nr = x.new_zeros(n)", sizes: []int{20, 100, 1000}},
	{name: "high power of a size", text: "n = n ** $N\nr = x.new_zeros(n), n % 7, n // 3", sizes: []int{100, 10_000, 100_000_000}},
	{name: "size times itself", text: "for i in range($N):\n    n = n * n\nr = x.new_zeros(n)", sizes: []int{20, 100, 1000}},
	{name: "size doubled", text: "for i in range($N):\n    n = n + n\nr = x.new_zeros(n)", sizes: nested},
	{name: "product of sums", text: "for i in range($N):\n    n = n * (x.shape[0] + i)\nr = x.new_zeros(n)", sizes: nested},
	{name: "product of sums of two sizes",
		text: "a, b = x.shape[0], x.shape[0] // 3\nfor i in range($N):\n    n = n * (a + b + i)\nr = x.new_zeros(n)", sizes: nested},
	{name: "nested floor division", text: "for i in range($N):\n    n = (n * 3 + 1) // 2\nr = x.new_zeros(n)", sizes: nested},
	{name: "nested modulo", text: "for i in range($N):\n    n = (n * 7) % (i + 11) + x.shape[0]\nr = x.new_zeros(n)", sizes: nested},
	{name: "nested min and max", text: "for i in range($N):\n    n = min(max(n, x.shape[0] // (i + 2)), 3 * n + i)\nr = x.new_zeros(n)",
		sizes: nested},
	{name: "sum of quotients", text: "for i in range($N):\n    n = n + x.shape[0] // (i + 2)\nr = x.new_zeros(n)", sizes: nested},
	{name: "sum of products of quotients",
		text: "for i in range($N):\n    n = n + (x.shape[0] // (i + 2)) * (x.shape[0] % (i + 3))\nr = x.new_zeros(n)", sizes: nested},
	{name: "greatest common divisors",
		text:  "import math\nfor i in range($N):\n    n = math.gcd(n, x.shape[0] + i) + math.lcm(x.shape[0], i + 1)\nr = x.new_zeros(n)",
		sizes: nested},
	{name: "size by a huge number", text: "n = n * 10 ** $N + n // 10 ** $N\nr = x.new_zeros(n)", sizes: many},
	{name: "size by huge numbers", text: "for i in range($N):\n    n = n * 12345678901234567890123 + 1\nr = x.new_zeros(n)", sizes: nested},
	{name: "size compared with a huge number", text: "r = [n < 10 ** $N, n * 3 == 10 ** $N, n % 10 ** $N]", sizes: many},
	{name: "size shifted", text: "r = x.new_zeros(n << $N), n >> $N, n & $N, n | $N, n ^ $N", sizes: many},
	{name: "size shifted again and again", text: "for i in range($N):\n    n = (n << 1) ^ n\nr = x.new_zeros(n)", sizes: nested},
	{name: "conditions on a size", text: "r = 0\nfor i in range($N):\n    if n % (i + 2) == 1 or n // (i + 3) > i:\n        r = r + 1",
		sizes: nested},
	{name: "asserted conditions", text: "for i in range($N):\n    assert n % (i + 2) < i + 2 or n > i * i\nr = x.new_zeros(n)", sizes: nested},
	{name: "disjunctions", text: "assert any([n == 3 * i for i in range($N)])\nr = x.new_zeros(n)", sizes: nested},
	{name: "reshapes", text: "r = x\nfor i in range($N):\n    r = r.reshape(-1, 2).reshape(2, -1)", sizes: nested},
	{name: "doubled by cat", text: "r = x\nfor i in range($N):\n    r = torch.cat([r, r])", sizes: nested},
	{name: "size in floats", text: "v = float(n)\nfor i in range($N):\n    v = v * 1.5 + n / 3\nr = x.new_zeros(int(v))", sizes: nested},
	{name: "rounded sizes", text: "import math\nfor i in range($N):\n    n = math.ceil(n * 1.1) + round(n / 3) + int(n ** 0.5)\nr = x.new_zeros(n)", sizes: nested},
	{name: "text of a size", text: "for i in range($N):\n    n = n * (x.shape[0] + i) + n // (i + 2)\nr = str(n), f'{n}', repr([n])",
		sizes: nested},
	{name: "loop over a size", text: "r = 0\nfor i in range(n):\n    for j in range(n * i):\n        r = r * n + i * j", sizes: []int{1}},
	{name: "arange to a size", text: "r = x\nfor i in range($N):\n    r = torch.arange(0, r.shape[0] * 3 + 1, i + 1)", sizes: nested},
	{name: "padded sizes", text: "import torch.nn.functional as F\nr = x[None]\nfor i in range($N):\n    r = F.max_pool1d(F.pad(r, (i, i + 1, 0, 0)), 3, 2, 1)\n    r = torch.cat([r, r], 1)[:, :r.shape[2] // 2 + 1]", sizes: nested},
	{name: "slices by sizes", text: "r = x\nfor i in range($N):\n    r = torch.cat([r[n // 2 - i:], r[:n // (i + 2)]])", sizes: nested},
	{name: "many symbols", text: "s = [(x[:, 0] > i).nonzero().shape[0] for i in range($N)]\na = 1\nfor i in s:\n    a = a * (i + 1)\nr = x.new_zeros(a), x.new_zeros(sum(s)), max(s)", sizes: nested},
	{name: "equations of symbols",
		text: "s = [(x[:, 0] > i).nonzero().shape[0] for i in range($N)]\nfor i in range(1, len(s)):\n    assert s[i] * 2 == s[i - 1] * 3 + s[0]\nr = x.new_zeros(s[-1])", sizes: nested},
}

// textKinds are texts and numbers of Python. Python's own library does these in C; an interpreter
// has to count what it makes before it makes it.
var textKinds = []kind{
	{name: "width of a format", text: "r = len('%{}d'.format($N0000) % 1), len(format(1, '>$N0000')), len(f'{1:0$N0000}')", sizes: many},
	{name: "precision of a format", text: "r = len('%.$N0f' % 1.5), len(f'{1.5:.$N0f}'), len('%.$N0d' % 3)", sizes: many},
	{name: "nested format fields", text: "r = len('{:{}}'.format(1, $N000) * 3)", sizes: many},
	{name: "text doubled", text: "r = 'a'\nfor i in range($N):\n    r = r + r\nr = len(r)", sizes: doubled},
	{name: "repr doubled", text: "r = '\\\\'\nfor i in range($N):\n    r = repr(r)\nr = len(r)", sizes: doubled},
	{name: "bytes doubled", text: "r = b'a'\nfor i in range($N):\n    r = r + r\nr = len(r), r.hex()[:3], r.decode()[:3]", sizes: doubled},
	{name: "bytearray grows", text: "r = bytearray(b'ab')\nfor i in range($N):\n    r += r\nr = len(r)", sizes: doubled},
	{name: "text repeated", text: "s = 'ab' * ($N * 1000)\nr = len(s.upper()), s.find('bb'), s.count('a'), len(s.replace('a', 'aaa')), len(s.split('a'))", sizes: some},
	{name: "lines", text: "s = 'a\\n' * ($N * 100)\nr = len(s.splitlines()), len(s.title()), s.isidentifier(), len(s.expandtabs(100)), len(s.encode('utf-16'))", sizes: some},
	{name: "expanded tabs", text: "r = len(('\\t' * $N).expandtabs($N))", sizes: many},
	{name: "translate to long texts", text: "r = len(('a' * $N).translate({97: 'b' * $N}))", sizes: many},
	{name: "joined", text: "r = len(','.join(['abc' * 100] * $N)), len(('b' * $N).join('a' * $N))", sizes: many},
	{name: "replaced by nothing", text: "r = len(('a' * $N).replace('', 'b' * $N))", sizes: many},
	{name: "justified", text: "r = len('a'.ljust($N000)), len('a'.center($N000)), len('1'.zfill($N000)), len(b'a'.rjust($N000))", sizes: many},
	{name: "partition by partition", text: "s = 'a,' * $N\nr = 0\nwhile s:\n    _, _, s = s.partition(',')\n    r += 1", sizes: many},
	{name: "substrings", text: "s = 'a' * $N\nr = [s[i:] for i in range($N)][0][:1]", sizes: many},
	{name: "search in text", text: "r = ('a' * $N + 'b') * 10 in 'a' * ($N * 20), ('a' * $N).rfind('a' * ($N // 2) + 'b')", sizes: many},
	{name: "regular expression back and forth", text: "import re\nr = re.match('(a*)*b', 'a' * $N), re.findall('a+b|a', 'a' * $N)[:1]",
		sizes: many},
	{name: "regular expression of many parts",
		text: "import re\nr = re.compile('|'.join('a%d' % i for i in range($N))).match('b'), re.sub('a{1,$N}', 'b', 'a' * $N)[:1]", sizes: many},
	{name: "nested regular expression",
		text: "import re\nr = re.compile('(' * $N + ')' * $N), re.match('(?:' * $N + 'a' + ')*' * $N, 'a' * 30)", sizes: nested},
	{name: "substitution doubles", text: "import re\nr = 'a'\nfor i in range($N):\n    r = re.sub('a', 'aa', r)\nr = len(r)", sizes: doubled},
	{name: "textwrap", text: "import textwrap\nr = len(textwrap.fill('ab ' * $N, 3)), len(textwrap.indent('a\\n' * $N, ' ' * 100))",
		sizes: many},
	{name: "template", text: "import string\nr = len(string.Template('$a ' * $N).substitute(a='b' * 1000))", sizes: many},
	{name: "difflib", text: "import difflib\nr = list(difflib.unified_diff(['a'] * $N, ['a', 'b'] * $N))[:1]", sizes: many},
	{name: "parsed JSON", text: "import json\nr = len(json.loads('[' + '[1,2],' * $N + '3]')), json.loads('[' * $N + ']' * $N)", sizes: many},
	{name: "parsed literal", text: "import ast\nr = len(ast.literal_eval('[' + '(1,2),' * $N + '3]'))", sizes: many},
	{name: "integer as text", text: "import sys\nsys.set_int_max_str_digits(0)\nr = len(str(3 ** $N)), int('7' * $N) % 10", sizes: many},
	{name: "integer powers", text: "r = 3 ** $N % 7, pow(3, 10 ** $N, 10 ** 50), 1 << $N00", sizes: many},
	{name: "integer squares itself", text: "r = 3\nfor i in range($N):\n    r = r * r\nr = r % 7", sizes: doubled},
	{name: "division of integers", text: "a = 7 ** $N\nr = (a * a + 1) // (a + 1) % 5, a / (a + 1), a.bit_length()", sizes: many},
	{name: "bytes of integers", text: "a = 1 << ($N * 100)\nr = len(a.to_bytes($N * 13, 'big')), int.from_bytes(b'a' * $N * 100, 'big') % 3, bin(a)[:3], hex(a)[:3]", sizes: many},
	{name: "factorial", text: "import math\nr = math.factorial($N) % 7, math.comb($N * 2, $N) % 7, math.perm($N, $N // 2) % 7", sizes: many},
	{name: "square roots", text: "import math\nr = math.isqrt(10 ** $N) % 7, math.gcd(10 ** $N + 1, 7 ** $N), math.prod(range(1, $N)) % 7",
		sizes: many},
	{name: "fractions", text: "from fractions import Fraction\nr = Fraction(0)\nfor i in range(1, $N):\n    r += Fraction(1, i)\nr = r.denominator % 7", sizes: many},
	{name: "decimals", text: "import decimal\ndecimal.getcontext().prec = $N\nr = decimal.Decimal(2).sqrt(), decimal.Decimal(1) / 7",
		sizes: many},
	{name: "struct", text: "import struct\nr = struct.calcsize('i' * $N), len(struct.pack('$Ns', b'a')), struct.unpack('$NB', b'a' * $N)[:1]", sizes: many},
	{name: "array module", text: "import array\nr = array.array('i', [0]) * $N000", sizes: many},
	{name: "memoryview", text: "m = memoryview(bytearray($N))\nr = m.tolist()[:1], m[::2].tobytes()[:1], bytes(m)[:1], m.hex()[:2]",
		sizes: many},
	{name: "base64 and hashes", text: "import base64, hashlib, zlib\nr = base64.b64encode(b'a' * $N)[:3], hashlib.sha256(b'a' * $N).hexdigest(), zlib.crc32(b'a' * $N)", sizes: many},
	{name: "StringIO", text: "import io\nb = io.StringIO()\nfor i in range(100):\n    b.write('a' * $N)\nr = len(b.getvalue()), len(io.BytesIO(b'a\\n' * $N).readlines())", sizes: many},
	{name: "csv", text: "import csv, io\nr = len(list(csv.reader(['a,b,c' * 100] * $N)))", sizes: many},
	{name: "urllib and paths", text: "import os.path, urllib.parse, pathlib\nr = len(os.path.normpath('a/../' * $N)), len(urllib.parse.quote(' ' * $N)), len(pathlib.PurePath('a/' * $N).parts)", sizes: many},
	{name: "shlex and fnmatch", text: "import shlex, fnmatch\nr = len(shlex.split('a b ' * $N)), fnmatch.fnmatch('a' * $N, '*a' * 30 + 'b')",
		sizes: many},
	{name: "pprint", text: "import pprint\nr = len(pprint.pformat([list(range(10))] * $N))", sizes: many},
}
