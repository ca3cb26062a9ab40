"""functions.py NAMES [CHAINER] > functions.txt: what the function objects of the libraries are like, with PyTorch 2.15, NumPy 2.5
and einops 0.8 at hand.

NAMES has the names of the records, one a line (SHAPECHECK_NAMES=FILE go test ./infer/ops/catalog -run TestFunctionsHaveRecords writes them),
CHAINER is the source of Chainer 7.8.1, which is read and not run. Each line has a name, what the object is (function: of Python; dispatcher:
NumPy's own, which binds as one; native: of C), its module and its qualified name where they are not those that the name says, else -, and its
signature without annotations, else -. A default that is no literal is ?. A signature that an earlier line has is that line's name behind
an @. Native functions without a signature have no line.
"""

import ast
import importlib
import inspect
import pathlib
import sys

KINDS = {"function": "function", "_ArrayFunctionDispatcher": "dispatcher", "cython_function_or_method": "dispatcher"}


def resolve(name):
    """The object of a name; None where there is none."""
    parts = name.split(".")
    for i in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:i]))
        except ImportError:
            continue
        for part in parts[i:]:
            found = getattr(found, part, None)
        return found
    return None


class Text:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def literal(value):
    """A default as it is written: a literal, a builtin type or NumPy's mark of no value as they are."""
    if isinstance(value, type) and value.__module__ == "builtins":
        return Text(value.__name__)
    try:
        if value is inspect.Parameter.empty or repr(value) == "<no value>" or ast.literal_eval(repr(value)) == value:
            return value
    except (ValueError, SyntaxError):
        pass
    return Text("?")


def line(name, kind, module, qualname, signature):
    owner, _, last = name.rpartition(".")
    own = ("torch.Tensor.", "numpy.ndarray.", "chainer.Variable.")
    if name.startswith(own):
        owner, _, cls = owner.rpartition(".")
        last = cls + "." + last
    return "\t".join([name, kind, "-" if module == owner else module or "?", "-" if qualname == last else qualname, signature])


def described(name):
    found = resolve(name)
    if found is None:
        return None
    kind = KINDS.get(type(found).__name__, "native")
    try:
        signature = inspect.signature(found)
        signature = str(signature.replace(return_annotation=inspect.Signature.empty, parameters=[
            p.replace(annotation=p.empty, default=literal(p.default)) for p in signature.parameters.values()]))
    except (ValueError, TypeError):
        signature = "-"
    if kind == "native" and signature == "-":
        return None
    module, qualname = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
    if kind == "native":  # which none but inspect looks at
        module, qualname = name.rpartition(".")[0], name.rpartition(".")[2]
        if name.startswith(("torch.Tensor.", "numpy.ndarray.")):
            module, qualname = module.rpartition(".")[0], module.rpartition(".")[2] + "." + qualname
    return line(name, kind, module, qualname, signature)


def of_chainer(root, names):
    """The functions of chainer.functions, by the imports of its __init__.py."""
    tree = ast.parse((root / "chainer/functions/__init__.py").read_text())
    where = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                where["chainer.functions." + (alias.asname or alias.name)] = (node.module, alias.name)
    for name in names:
        if name not in where:
            continue
        module, own = where[name]
        path = root / (module.replace(".", "/") + ".py")
        if not path.exists():
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name == own:
                yield line(name, "function", module, own, "(" + arguments(node.args) + ")")


def arguments(a):
    out = []
    defaults = [None] * (len(a.args) - len(a.defaults)) + a.defaults
    for arg, default in zip(a.args, defaults):
        out.append(arg.arg + ("" if default is None else "=" + of(default)))
    if a.vararg:
        out.append("*" + a.vararg.arg)
    elif a.kwonlyargs:
        out.append("*")
    for arg, default in zip(a.kwonlyargs, a.kw_defaults):
        out.append(arg.arg + ("" if default is None else "=" + of(default)))
    if a.kwarg:
        out.append("**" + a.kwarg.arg)
    return ", ".join(out)


def of(node):
    try:
        return repr(ast.literal_eval(node))
    except ValueError:
        return "?"


names = sorted(set(pathlib.Path(sys.argv[1]).read_text().split()))
lines = [x for n in names if not n.startswith("chainer.") and (x := described(n))]
if len(sys.argv) > 2:
    lines += of_chainer(pathlib.Path(sys.argv[2]), names)
first = {}
for row in sorted(lines):
    name, signature = row.partition("\t")[0], row.rpartition("\t")[2]
    earlier = first.setdefault(signature, name)
    print(row if earlier == name or len(earlier) >= len(signature) else row.rpartition("\t")[0] + "\t@" + earlier)
