package hostile

import (
	"fmt"
	"strings"
)

// containerKinds are Python's containers and what walks them.
var containerKinds = []kind{
	{name: "list repeated", text: "r = len([0] * $N0), len([[]] * $N0), len((1, 2) * $N0)", sizes: many},
	{name: "list doubled", text: "r = [x]\nfor i in range($N):\n    r = r + r\nr = len(r)", sizes: doubled},
	{name: "list extended by itself", text: "r = [1]\nfor i in range($N):\n    r.extend(r)\nr = len(r)", sizes: doubled},
	{name: "list unpacked into itself", text: "r = [1]\nfor i in range($N):\n    r = [*r, *r]\nr = len(r)", sizes: doubled},
	{name: "list inserted at its front", text: "r = []\nfor i in range($N):\n    r.insert(0, i)\nr = len(r)", sizes: many},
	{name: "list emptied from its front", text: "r = [1] * $N\nwhile r:\n    r.pop(0)\n    del r[0:1]", sizes: many},
	{name: "list sliced in loops", text: "r = [1] * $N\nfor i in range($N):\n    a = r[i:]\n    b = r[::-1]", sizes: many},
	{name: "list searched in loops", text: "r = list(range($N))\nfor i in range($N):\n    a = -1 in r, r.count(i)", sizes: many},
	{name: "list removed from", text: "r = list(range($N))\nfor i in reversed(range($N)):\n    r.remove(i)", sizes: many},
	{name: "list reversed in loops", text: "r = [1] * $N\nfor i in range($N):\n    r.reverse()\n    r = r.copy()\nr = len(r)", sizes: many},
	{name: "list compared in loops", text: "a = [1] * $N\nb = [1] * $N\nr = 0\nfor i in range($N):\n    r += (a == b) + (a < b)", sizes: many},
	{name: "list assigned to slices", text: "r = [1] * $N\nfor i in range(100):\n    r[1:1] = r\nr = len(r)", sizes: many},
	{name: "sorted in loops", text: "a = list(range($N))\nfor i in range($N):\n    r = sorted(a, key=lambda v: -v)\n    a.sort(reverse=True)", sizes: many},
	{name: "ranges", text: "r = len(list(range($N00))), sum(range($N00)), list(reversed(range($N00)))[:1], max(range($N00))", sizes: many},
	{name: "zip and enumerate", text: "a = range($N)\nr = len(list(zip(a, a, a))), len(list(enumerate(a))), list(map(str, a))[:1], len(list(filter(None, a)))", sizes: many},
	{name: "zip of many", text: "r = len(list(zip(*[range(1000)] * $N))), list(zip(*[[1, 2]] * $N))[0][:1]", sizes: many},
	{name: "itertools", text: "import itertools as t\na = range($N)\nr = len(list(t.chain(a, a))), len(list(t.accumulate(a))), len(list(t.islice(t.count(), $N))), len(list(t.groupby(a)))", sizes: many},
	{name: "products", text: "import itertools as t\nr = len(list(t.product(range($N), repeat=5)))", sizes: many},
	{name: "permutations", text: "import itertools as t\nr = len(list(t.permutations(range($N)))), len(list(t.combinations(range($N), $N // 2)))", sizes: many},
	{name: "product of many", text: "import itertools as t\nr = next(t.product(*[[1, 2]] * $N))[:1], next(t.combinations_with_replacement([1], $N))[:1]", sizes: many},
	{name: "dict of many", text: "r = dict.fromkeys(range($N))\nr = len({**r, **r}), len(r | r), len(dict(zip(r, r))), r == dict(r), len(list(r.items()))", sizes: many},
	{name: "dict copied in loops", text: "r = dict.fromkeys(range($N))\nfor i in range($N):\n    r = dict(r)\n    r = r.copy()\n    r.update(r)\nr = len(r)", sizes: many},
	{name: "dict emptied", text: "r = dict.fromkeys(range($N))\nwhile r:\n    del r[next(iter(r))]", sizes: many},
	{name: "set of many", text: "r = set(range($N))\nr = len(r | r), len(r & r), len(r - r), len(r ^ r), r <= r, len(frozenset(r)), r.isdisjoint(r)", sizes: many},
	{name: "set algebra in loops", text: "a = set(range($N))\nfor i in range($N):\n    r = (a | a) & a\n    a = a.copy()\n    a -= {i}\nr = len(a)", sizes: many},
	{name: "dict as keywords", text: "def g(**k): return len(k)\na = {'a%d' % i: i for i in range($N)}\nr = [g(**a) for i in range($N)][:1]", sizes: many},
	{name: "list as arguments", text: "def g(*a): return len(a)\na = [1] * $N\nr = [g(*a) for i in range($N)][:1]", sizes: many},
	{name: "print of many", text: "for i in range($N):\n    print(*[i] * $N)\nr = 1", sizes: many},
	{name: "sum of lists", text: "r = len(sum([[1]] * $N, []))", sizes: many},
	{name: "sum of tuples", text: "r = ()\nfor i in range($N):\n    r = r + (i,)\nr = len(r)", sizes: many},
	{name: "min and max of lists", text: "a = [[1] * 1000] * $N\nr = min(a)[:1], max(a)[:1], any([[]] * $N), all([1] * $N)", sizes: many},
	{name: "counters", text: "import collections as c\na = c.Counter(range($N))\nr = len(a + a), len(a - a), a.most_common(1), len(list(a.elements()))", sizes: many},
	{name: "counter of huge counts", text: "import collections as c\nr = len(list(c.Counter(a=$N000).elements()))", sizes: many},
	{name: "deques", text: "import collections as c\na = c.deque(range($N))\nfor i in range($N):\n    a.rotate($N // 2)\n    a.appendleft(i)\nr = len(a * 100)", sizes: many},
	{name: "ChainMap", text: "import collections as c\na = c.ChainMap()\nfor i in range($N):\n    a = a.new_child({i: i})\nr = len(a), a.get(-1)", sizes: many},
	{name: "OrderedDict moved", text: "import collections as c\na = c.OrderedDict.fromkeys(range($N))\nfor i in range($N):\n    a.move_to_end(i)\nr = len(a)", sizes: many},
	{name: "heaps", text: "import heapq\na = list(range($N))\nheapq.heapify(a)\nr = heapq.nsmallest(3, a), [heapq.heappop(a) for i in range($N)][:1]", sizes: many},
	{name: "bisect", text: "import bisect\na = []\nfor i in range($N):\n    bisect.insort(a, -i)\nr = len(a)", sizes: many},
	{name: "reduce", text: "import functools\nr = functools.reduce(lambda a, b: a + [b], range($N), [])[:1]", sizes: many},
	{name: "shuffles and samples", text: "import random\na = list(range($N))\nfor i in range($N):\n    random.shuffle(a)\nr = random.sample(range($N), $N)[:1], random.choices(a, k=$N0)[:1]", sizes: many},
	{name: "statistics", text: "import statistics\na = list(range($N))\nr = statistics.mean(a), statistics.median(a), statistics.stdev(a)", sizes: many},
	{name: "copies", text: "import copy\na = [[i] for i in range($N)]\nfor i in range($N):\n    a = copy.deepcopy(a)\n    a = copy.copy(a)\nr = len(a)", sizes: many},
	{name: "tee", text: "import itertools as t\na = iter(range($N))\nfor i in range($N):\n    a, r = t.tee(a)\nr = 1", sizes: some},
	{name: "nested generators", text: "a = iter(range(3))\nfor i in range($N):\n    a = map(lambda v: v, a)\nr = next(a)", sizes: some},
	{name: "nested comprehensions", text: "r = len([(a, b, c) for a in range($N) for b in range($N) for c in range($N)])", sizes: many},
	{name: "unpacked stars", text: "a = list(range($N))\nfor i in range($N):\n    b, *c = a\n    *d, e = c\nr = len(d)", sizes: many},
	{name: "match on sequences", text: "a = [1] * $N\nr = 0\nfor i in range($N):\n    match a:\n        case [b, *c, d]: r = len(c)", sizes: many},
	{name: "match on dicts", text: "a = {i: i for i in range($N)}\nr = 0\nfor i in range($N):\n    match a:\n        case {0: b, **c}: r = len(c)", sizes: many},
	{name: "queue and defaultdict", text: "import collections as c\na = c.defaultdict(list)\nfor i in range($N):\n    a[i % 3].append(list(a))\nr = len(a)", sizes: many},
	{name: "operator", text: "import operator as o\na = [1] * $N\nfor i in range($N):\n    r = o.concat(a, a), o.contains(a, 2), o.countOf(a, 1), o.itemgetter(*a)", sizes: many},
	{name: "pickled", text: "import pickle\nr = len(pickle.dumps([1] * $N))", sizes: many},
}

// classKinds are classes and attributes.
var classKinds = []kind{
	{name: "many bases", text: "a = tuple(type('A%d' % i, (), {}) for i in range($N))\nr = type('B', a, {})\nr = len(r.__mro__)", sizes: some},
	{name: "many bases again and again", text: "a = tuple(type('A%d' % i, (), {}) for i in range($N // 10))\nfor i in range($N):\n    r = type('B', a, {})", sizes: some},
	{name: "chain of bases", text: "a = object\nfor i in range($N):\n    a = type('A', (a,), {})\nr = len(a.__mro__), hasattr(a, 'b'), isinstance(a(), int)", sizes: some},
	{name: "diamonds of bases", text: "a = object\nfor i in range($N):\n    b = type('B', (a,), {})\n    c = type('C', (a,), {})\n    a = type('A', (b, c), {})\nr = len(a.__mro__), hasattr(a(), 'b')", sizes: some},
	{name: "attributes of a class", text: "class A: pass\nfor i in range($N):\n    setattr(A, 'a%d' % i, i)\nr = len(dir(A)), len(vars(A)), len(dir(A()))", sizes: many},
	{name: "listed attributes in loops", text: "class A: pass\na = A()\na.__dict__.update({'a%d' % i: i for i in range($N)})\nfor i in range($N):\n    r = dir(a), vars(a), list(a.__dict__)", sizes: many},
	{name: "type of many attributes", text: "a = {'a%d' % i: i for i in range($N)}\nfor i in range($N):\n    r = type('A', (), a)", sizes: many},
	{name: "globals copied", text: "for i in range($N):\n    globals()['g%d' % i] = dict(globals())\nr = len(globals())", sizes: some},
	{name: "globals updated", text: "for i in range($N):\n    globals().update({k + 'a': v for k, v in globals().items()})\nr = 1", sizes: doubled},
	{name: "locals copied", text: "a = []\nfor i in range($N):\n    a.append(locals().copy())\n    a.append(dict(vars()))\nr = len(a)", sizes: some},
	{name: "listed modules", text: "import sys\nr = 0\nfor i in range($N):\n    r += len(dir(torch)) + len(vars(nn)) + len(dict(sys.modules))", sizes: some},
	{name: "slots", text: "A = type('A', (), {'__slots__': ['a%d' % i for i in range($N)]})\nr = A()", sizes: many},
	{name: "dataclass of many fields", text: "import dataclasses as d\nA = d.make_dataclass('A', ['a%d' % i for i in range($N)])\nr = A(*range($N)), d.asdict(A(*range($N))), d.fields(A)", sizes: many},
	{name: "namedtuple of many fields", text: "import collections as c\nA = c.namedtuple('A', ['a%d' % i for i in range($N)])\nr = A(*range($N)), A(*range($N))._replace(a1=3), A._make(range($N))", sizes: many},
	{name: "namedtuple of a text", text: "import collections as c\nA = c.namedtuple('A', ' '.join('a%d' % i for i in range($N)), rename=True)\nr = len(A._fields)", sizes: many},
	{name: "Enum of many members", text: "import enum\nA = enum.Enum('A', ['a%d' % i for i in range($N)])\nr = len(list(A)), A(3), A['a1'], len(A.__members__)", sizes: many},
	{name: "Flag of many members", text: "import enum\nA = enum.IntFlag('A', ['a%d' % i for i in range($N)])\nr = A(7), ~A(1)", sizes: some},
	{name: "chain of getattr", text: "class A:\n    def __getattr__(self, k): return self\nr = A()\nfor i in range($N):\n    r = getattr(r, 'a' * i)", sizes: some},
	{name: "attrgetter of many parts", text: "import operator\nclass A: pass\na = A()\na.b = a\nr = operator.attrgetter('.'.join(['b'] * $N))(a)", sizes: many},
	{name: "super of super", text: "class A:\n    def f(self): return 1\nC = A\nfor i in range($N):\n    class B(C):\n        def f(self): return super(B, self).f()\n    C = B\nr = C().f()", sizes: some},
	{name: "metaclass of metaclass", text: "a = type\nfor i in range($N):\n    a = type('A', (a,), {})\nr = a('B', (), {})", sizes: some},
	{name: "subclass checks", text: "a = tuple(type('A', (), {}) for i in range($N))\nr = 0\nfor i in range($N):\n    r += isinstance(i, a) + issubclass(int, a)", sizes: some},
	{name: "registered classes", text: "import abc\nclass A(abc.ABC): pass\nfor i in range($N):\n    A.register(type('B', (), {}))\nr = isinstance(1, A), [issubclass(int, A) for i in range($N)][:1]", sizes: some},
	{name: "abstract methods", text: "import abc\nd = {'a%d' % i: abc.abstractmethod(lambda self: 1) for i in range($N)}\nA = abc.ABCMeta('A', (), d)\nr = A()", sizes: many},
	{name: "decorators", text: "def d(f):\n    def g(*a): return f(*a)\n    return g\ndef h(v): return v\nfor i in range($N):\n    h = d(h)\nr = h(1)", sizes: some},
	{name: "wrapped functions", text: "import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\ndef h(v): return v\nfor i in range($N):\n    h = d(h)\nimport inspect\nr = inspect.signature(h), inspect.unwrap(h)", sizes: some},
	{name: "partial of partial", text: "import functools\nr = max\nfor i in range($N):\n    r = functools.partial(r, i)\nr = r()", sizes: some},
	{name: "single dispatch", text: "import functools\n@functools.singledispatch\ndef g(v): return v\nfor i in range($N):\n    g.register(type('A', (), {}), lambda v: 1)\nr = g(1)", sizes: some},
	{name: "cached functions", text: "import functools\n@functools.lru_cache(None)\ndef g(v): return v\nfor i in range($N):\n    g(tuple(range(i)))\nr = g(1)", sizes: some},
	{name: "context managers", text: "import contextlib\nwith contextlib.ExitStack() as s:\n    for i in range($N):\n        s.callback(print, i)\nr = 1", sizes: some},
	{name: "chain of causes", text: "e = None\nfor i in range($N):\n    try:\n        raise ValueError(i) from e\n    except ValueError as f:\n        e = f\nraise e", sizes: some},
	{name: "signature of many parameters", text: "g = eval('lambda ' + ', '.join('a%d=1' % i for i in range($N)) + ': 1')\nimport inspect\nr = inspect.signature(g), g(a1=2)", sizes: some},
}

// typeKinds are types and annotations.
var typeKinds = []kind{
	{name: "lattice of tuple types", text: "a = int\nfor i in range($N):\n    a = tuple[a, a]\nr = repr(a), a == tuple[a, a], hash(a)", sizes: doubled},
	{name: "lattice of tuple types shown", text: "a = int\nfor i in range($N):\n    a = tuple[a, a]\nr = a", sizes: doubled},
	{name: "lattice of typing's types", text: "import typing as t\na = int\nfor i in range($N):\n    a = t.Tuple[t.Dict[a, a], t.Callable[[a], a]]\nr = str(a)", sizes: doubled},
	{name: "lattice of unions", text: "import typing as t\na = int\nfor i in range($N):\n    a = t.Union[t.List[a], t.Set[a]] | None\nr = str(a), t.get_args(a)", sizes: doubled},
	{name: "union of many", text: "a = None\nfor i in range($N):\n    a = a | type('A%d' % i, (), {})\nr = len(a.__args__), isinstance(1, a)", sizes: some},
	{name: "literal of many", text: "import typing as t\na = t.Literal[tuple(range($N))]\nr = len(t.get_args(a)), t.get_args(t.Union[a, t.Literal[tuple(range($N))]])[:1]", sizes: many},
	{name: "lattice of literals", text: "import typing as t\na = t.Literal[1]\nfor i in range($N):\n    a = t.Literal[a, a]\nr = a", sizes: doubled},
	{name: "annotated by a lattice", text: "a = int\nfor i in range($N):\n    a = tuple[a, a]\ndef g(v: a) -> a:\n    w: a = v\n    return w\nr = g(1), g.__annotations__", sizes: doubled},
	{name: "lattice of Annotated", text: "import typing as t\na = int\nfor i in range($N):\n    a = t.Annotated[tuple[a, a], a]\nr = t.get_origin(a), str(a)", sizes: doubled},
	{name: "type variables in a lattice", text: "import typing as t\nT = t.TypeVar('T')\na = t.List[T]\nfor i in range($N):\n    a = t.Dict[a, a]\nr = a[int], a.__parameters__", sizes: doubled},
	{name: "text annotation of many parts", text: "def g(v): return v\ng.__annotations__['v'] = 'tuple[' + 'int,' * $N + ']'\nimport typing as t\nr = t.get_type_hints(g)", sizes: many},
	{name: "dataclass of a lattice", text: "import dataclasses as d\na = int\nfor i in range($N):\n    a = tuple[a, a]\n@d.dataclass\nclass A:\n    v: a\nr = A(1), d.fields(A)", sizes: doubled},
	{name: "NamedTuple of a lattice", text: "import typing as t\na = int\nfor i in range($N):\n    a = tuple[a, a]\nA = t.NamedTuple('A', [('v', a), ('w', a)])\nr = A(1, 2)", sizes: doubled},
	{name: "shape annotation of many axes", text: "def g(v):\n    # v: [@]\n    return v\nr = g(x)", expand: repeated("A%d*2, "), sizes: some},
	{name: "jaxtyping of many axes", text: "from jaxtyping import Float\ndef g(v: Float[torch.Tensor, '@']): return v\nr = g(x)", expand: repeated("a%d "), sizes: some},
	{name: "generic alias nested", text: "a = int\nfor i in range($N):\n    a = list[a]\nr = repr(a), hash(a), a == list[a]", sizes: some},
	{name: "type aliases in a lattice", text: "type A0 = int\n@r = A$N", expand: func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "type A%d = tuple[A%d, A%d]\n", i+1, i, i)
		}
		return b.String()
	}, sizes: nested},
	{name: "lattice of text annotations", text: "import typing as t\nclass A:\n    @\nr = t.get_type_hints(A)", expand: func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d: 'tuple[int, %d]' = 1; ", i, i)
		}
		return b.String()
	}, sizes: nested},
}

// codeKinds are programs that write programs.
var codeKinds = []kind{
	{name: "eval of doubled text", text: "s = '1'\nfor i in range($N):\n    s = s + '+' + s\nr = eval(s)", sizes: doubled},
	{name: "eval of doubled repr", text: "s = '[1, 2]'\nfor i in range($N):\n    s = repr(eval(s) * 2)\nr = len(s)", sizes: doubled},
	{name: "eval of a long list", text: "r = len(eval('[' + '1,' * $N + ']')), len(eval('{' + '1:2,' * $N + '}'))", sizes: many},
	{name: "eval in loops", text: "for i in range($N):\n    r = eval('[' + '%d,' % i * 1000 + ']')", sizes: many},
	{name: "exec of many lines", text: "exec('a = 1\\n' * $N)\nr = 1", sizes: many},
	{name: "exec of many functions", text: "exec('\\n'.join('def f%d(a, b): return a' % i for i in range($N)))\nr = 1", sizes: many},
	{name: "exec of itself", text: "s = 'exec(s, globals())'\nexec(s, {'s': s})\nr = 1", sizes: []int{1}},
	{name: "compile of a long text", text: "r = compile('x + ' * $N + 'x', 'a', 'eval'), compile('a = 1\\n' * $N, 'a', 'exec')", sizes: many},
	{name: "eval of deep brackets", text: "r = eval('(' * $N + '1' + ')' * $N)", sizes: many},
	{name: "eval of a long name", text: "r = 1\nexec('a' * $N + ' = 2')", sizes: many},
	{name: "eval of a huge number", text: "r = eval('1' * $N), eval('0x' + 'f' * $N), eval('1e' + '9' * $N)", sizes: many},
	{name: "eval of a long string", text: "r = len(eval(repr('a\\\\' * $N))), len(eval('\"a\" ' * $N))", sizes: many},
	{name: "eval of nested lambdas", text: "r = eval('lambda: ' * $N + '1')", sizes: some},
	{name: "eval of f-strings", text: "r = eval('f\"' + '{x!r:>10}' * $N + '\"')", sizes: some},
	{name: "ast of a long text", text: "import ast\nr = ast.dump(ast.parse('a = 1\\n' * $N))[:3]", sizes: many},
	{name: "import of many names", text: "import importlib\nfor i in range($N):\n    try: importlib.import_module('m%d.a.b.c' % i)\n    except ImportError: pass\nr = 1", sizes: some},
	{name: "import of a long name", text: "import importlib\ntry: importlib.import_module('a.' * $N + 'b')\nexcept ImportError: pass\nr = 1", sizes: some},
	{name: "source of a function", text: "import inspect\ndef g(): pass\nfor i in range($N):\n    r = len(inspect.getsource(g))", sizes: some},
	{name: "modules made", text: "import types, sys\nfor i in range($N):\n    m = types.ModuleType('m%d' % i)\n    m.__dict__.update(globals())\n    sys.modules[m.__name__] = m\nr = 1", sizes: some},
}

// sourceKinds are texts that are long or deep themselves.
var sourceKinds = []kind{
	{name: "deep brackets", text: "r = @", expand: nestedIn("[", "1", "]"), sizes: nested},
	{name: "deep calls", text: "r = @", expand: nestedIn("abs(", "1", ")"), sizes: nested},
	{name: "deep subscripts", text: "r = @", expand: nestedIn("x[", "0", "]"), sizes: nested},
	{name: "deep conditions", text: "r = @", expand: nestedIn("(1 if x.sum() > 0 else ", "0", ")"), sizes: nested},
	{name: "deep types", text: "r: @ = 1", expand: nestedIn("tuple[int, ", "int", "]"), sizes: nested},
	{name: "deep lambdas", text: "r = @", expand: nestedIn("(lambda v: ", "v", ")(x)"), sizes: nested},
	{name: "deep f-strings", text: "r = @", expand: func(n int) string { return nestedIn("f'{", "1", "}'")(n / 10) }, sizes: nested},
	{name: "deep format specs", text: "r = f'@'", expand: nestedIn("{1:", "", "}"), sizes: nested},
	{name: "unary operators", text: "r = @1", expand: repeated("-"), sizes: some},
	{name: "not operators", text: "r = @x", expand: repeated("not "), sizes: some},
	{name: "long sum", text: "r = @1", expand: repeated("x + "), sizes: some},
	{name: "long comparison", text: "r = @n", expand: repeated("n <= "), sizes: some},
	{name: "long or", text: "r = @n", expand: repeated("n == %d or "), sizes: some},
	{name: "long power", text: "r = @2", expand: repeated("2 ** "), sizes: some},
	{name: "long chain of attributes", text: "r = x@", expand: repeated(".T"), sizes: some},
	{name: "long chain of calls", text: "r = x@", expand: repeated(".view(-1)"), sizes: some},
	{name: "long list", text: "r = [@]", expand: repeated("%d, "), sizes: some},
	{name: "long dict", text: "r = {@}", expand: repeated("%d: x, "), sizes: some},
	{name: "long call", text: "r = max(@)", expand: repeated("%d, "), sizes: some},
	{name: "long string", text: "r = len('@')", expand: repeated("a%d"), sizes: some},
	{name: "long number", text: "r = @", expand: repeated("7"), sizes: many},
	{name: "long line of statements", text: "@r = 1", expand: repeated("x = x + 1; "), sizes: some},
	{name: "many statements", text: "@r = x", expand: repeated("x = x + 1\n"), sizes: some},
	{name: "many conditions on data", text: "r = x\n@", expand: repeated("if x[0, 0] > %d: r = r + %d\n"), sizes: nested},
	{name: "many conditions on a size", text: "r = x\n@", expand: repeated("if n > %d: r = torch.cat([r, r[:%d]])\n"), sizes: nested},
	{name: "many functions", text: "@r = 1", expand: repeated("def f%d(a, b=%d): return a\n"), sizes: some},
	{name: "many classes", text: "@r = 1", expand: repeated("class A%d: pass\n"), sizes: some},
	{name: "many bases in a class", text: "@\nr = 1", expand: func(n int) string {
		return repeated("class A%d: pass\n")(n) + "class B(" + repeated("A%d, ")(n) + "): pass"
	}, sizes: some},
	{name: "many names deleted", text: "@r = 1", expand: repeated("a%d = 1; del a%d\n"), sizes: some},
	{name: "many findings", text: "@r = x", expand: repeated("x.view(%d, 77)\n"), sizes: some},
	{name: "many targets", text: "@1\nr = 1", expand: repeated("a%d = "), sizes: some},
	{name: "many globals", text: "global @zz\nr = 1", expand: repeated("a%d, "), sizes: some},
	{name: "many decorators", text: "def d(f): return f\n@def g(): pass\nr = g", expand: func(n int) string { return repeated("\x40d\n")(n) }, sizes: some},
	{name: "many imports", text: "@r = 1", expand: repeated("import m%d, m%d.a.b\n"), sizes: some},
	{name: "many comments", text: "@r = 1", expand: repeated("# a%d: [B, %d]\n"), sizes: some},
	{name: "many handlers", text: "try:\n    x.view(77)\n@\nr = 1", expand: repeated("except ValueError: pass\n"), sizes: some},
	{name: "many cases", text: "match n:\n@\nr = 1", expand: repeated("    case %d: pass\n"), sizes: some},
	{name: "many alternatives of a case", text: "match n:\n    case @0: pass\nr = 1", expand: repeated("%d | "), sizes: some},
	{name: "one long line of spaces", text: "r = 1@", expand: repeated("          "), sizes: some},
	{name: "many lines of nothing", text: "@r = x.view(77)", expand: repeated("\n"), sizes: many},
	{name: "many backslashes", text: "r = 1 + @ 1", expand: repeated("\\\n"), sizes: some},
	{name: "deep indentation", text: "@", expand: func(n int) string {
		var out, in string
		for range min(n, 150) {
			out += in + "if 1:\n"
			in += " "
		}
		return out + in + "pass\nr = 1"
	}, sizes: nested},
	{name: "unclosed brackets", text: "r = @", expand: repeated("["), sizes: many, alone: true},
	{name: "unclosed f-strings", text: "r = @", expand: repeated("f'{"), sizes: many, alone: true},
	{name: "only errors", text: "@", expand: repeated("x = = %d\n"), sizes: some, alone: true},
	{name: "deep blocks of errors", text: "@", expand: repeated("if :\n"), sizes: some, alone: true},
}
