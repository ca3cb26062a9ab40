"""Lets PyTorch confirm the models of models.tsv: each is made and called as its row says, at two sizes that satisfy the contract and at the
nearest ones that do not.

    python confirm.py FOLDER [PACKAGE...]         FOLDER is that of .ci/door; needs torch, what the packages import is taken from the path
                                                  or stands as a module without anything in it

A row is printed for each model: OK, with the sizes; FAILS where the contract allows what PyTorch refuses, RUNS where it excludes what runs,
TYPE where the result is another one, IMPORT, TIME and NUMBERS where nothing can be said. It exits with 1 for the second to the fourth.
"""

import importlib
import importlib.abc
import importlib.machinery
import inspect
import itertools
import math
import pathlib
import re
import signal
import sys
import types
import warnings
from fractions import Fraction

import torch
import torch.utils.data  # before modules that stand for others

HERE = pathlib.Path(__file__).resolve().parent
DTYPES = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64, "i32": torch.int32, "u8": torch.uint8, "bool": torch.bool, "c64": torch.complex64}
NAMES = {v: k for k, v in DTYPES.items()}
TENSOR = re.compile(r"\b(f32|f64|i64|i32|u8|bool|c64)\[([^\[\]]*)\]")
IMPORTS = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.M)
FETCHING = ("huggingface_hub", "safetensors", "transformers")  # stand always: no weights are fetched
WHOLE = ("torch", "torchvision", "tensorflow", "jax", "org", "tabulate")  # the last is one that torch uses where it is there
TRIED = (1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256)
SECONDS, ELEMENTS, POINTS = 30, 600_000, 40_000


class Kind(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Anything(metaclass=Kind):
    """Stands for what a package that is not there has."""

    def __init__(self, *args, **named):
        pass

    def __call__(self, *args, **named):
        return args[0] if len(args) == 1 and not named and callable(args[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __init_subclass__(cls, **named):
        pass

    def __class_getitem__(cls, key):
        return cls

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __mro_entries__(self, bases):
        return (Anything,)


class Stand(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Anything,), {}) if name[:1].isupper() else Anything()


class Stands(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what no other finder has found, of what the files of a package import; or what always stands, before the others."""

    def __init__(self, root, names=None):
        self.root = root
        self.names = names or {name for file in root.rglob("*.py") for name in IMPORTS.findall(file.read_text(errors="replace"))}

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top not in self.names or top in WHOLE or top in sys.stdlib_module_names or (self.root / top).exists():
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Stand(spec.name)

    def exec_module(self, module):
        pass


class TooLong(Exception):
    pass


def alarm(*_):
    raise TooLong


def axes(text):
    out, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            out.append("")
        else:
            out[-1] += c
    return out if text.strip() else []


def value(text, sizes):
    names = {"ceil": lambda x: Fraction(math.ceil(x)), "floor": lambda x: Fraction(math.floor(x)), "min": min, "max": max,
             "sqrt": math.sqrt, "__builtins__": {"int": int}}
    return eval(text, {**names, **sizes})


def sized(text, sizes):
    try:
        return str(int(value(text, sizes)))
    except NameError:  # data decides it
        return "?"


def tensor(dtype, shape, numbers):
    if dtype in ("i64", "i32", "u8"):
        return torch.randint(0, numbers, shape, dtype=DTYPES[dtype])
    if dtype == "bool":
        return torch.rand(shape) > 0.5
    return torch.rand(shape).to(DTYPES[dtype])


def typed(x):
    if isinstance(x, torch.Tensor):
        return f"{NAMES.get(x.dtype, x.dtype)}[{','.join(map(str, x.shape))}]"
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return f"{type(x).__name__}({', '.join(f'{k}={typed(v)}' for k, v in zip(x._fields, x))})"
    if isinstance(x, tuple):
        return "(" + ", ".join(map(typed, x)) + ("," if len(x) == 1 else "") + ")"
    if isinstance(x, list):
        return "[" + ", ".join(map(typed, x)) + "]"
    if isinstance(x, dict):
        return "{" + ", ".join(f'"{k}": {typed(v)}' for k, v in x.items()) + "}"
    return f"{type(x).__name__}={x}" if isinstance(x, (bool, int, float)) else str(x)


def called(row, names, sizes):
    """What a model gives for these sizes; where numbers of its inputs are no index of what is there, as of one node alone, they are 0."""
    try:
        return called_with(row, names, sizes, 2)
    except (IndexError, RuntimeError, ValueError):
        return called_with(row, names, sizes, 1)


def called_with(row, names, sizes, numbers):
    torch.manual_seed(0)
    entry = eval(row["entry"], names)
    forward = entry.forward if isinstance(entry, torch.nn.Module) else entry
    places = [p.name for p in inspect.signature(forward).parameters.values() if p.kind is p.VAR_POSITIONAL]
    args, named = [], {}
    for word in arguments(row["arguments"]):
        name, _, text = re.match(r"(\w+)(:|=)(.*)$", word, re.S).groups()
        tensors = []

        def put(m):
            tensors.append(tensor(m[1], [int(value(d, sizes)) for d in axes(m[2])], numbers))
            return f"_tensors[{len(tensors) - 1}]"

        if text in ("int", "float"):
            x = int(sizes.get(name, 1)) if text == "int" else 0.5
        else:
            x = eval(TENSOR.sub(put, text), {**names, "_tensors": tensors})
        if name in places:
            args.append(x)
        else:
            named[name] = x
    return entry(*args, **named)


def arguments(text):
    """The words of the column, which are separated by blanks outside of brackets."""
    out, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == " " and not depth:
            out.append("")
        else:
            out[-1] += c
    return [w for w in out if w]


def points(row):
    """Sizes that satisfy the contract, small ones first, and those beside them that do not."""
    symbols = list(dict.fromkeys(re.findall(r"\b[A-Z]\w*\b", " ".join(m[2] for m in TENSOR.finditer(row["arguments"])))))
    conditions = [c for c in row["contract"].split("; ") if c]
    wanted = {int(n) + d for n in re.findall(r"\b\d+\b", row["contract"]) for d in (-1, 0, 1)}
    tried = sorted({n for n in (*TRIED, *wanted) if 0 < n <= 2048})

    def holds(sizes):
        return all(value(c, sizes) for c in conditions)

    def elements(sizes):
        return sum(math.prod(int(value(d, sizes)) for d in axes(m[2])) for m in TENSOR.finditer(row["arguments"]))

    inside = []
    for i, at in enumerate(itertools.product(tried, repeat=len(symbols))):
        sizes = {s: Fraction(n) for s, n in zip(symbols, reversed(at))}
        if i > POINTS or len(inside) > 200:
            break
        if elements(sizes) <= ELEMENTS and holds(sizes):
            inside.append(sizes)
    inside.sort(key=elements)
    outside = []
    for sizes in inside[:20]:
        for s, d in itertools.product(symbols, (-1, 1)):
            beside = {**sizes, s: sizes[s] + d}
            if beside[s] > 0 and not holds(beside) and beside not in outside:
                outside.append(beside)
    return ([inside[0], inside[len(inside) // 2]] if len(inside) > 1 else inside), outside[:3]


def imported(name, root):
    """A module; where the packages around it cannot be imported, it alone."""
    try:
        return importlib.import_module(name)
    except Exception:
        parts = name.split(".")
        for i in range(1, len(parts)):
            package = types.ModuleType(".".join(parts[:i]))
            package.__path__ = [str(root.joinpath(*parts[:i]))]
            sys.modules[package.__name__] = package
        return importlib.import_module(name)


def confirm(row, root):
    name = row["file"].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    try:
        names = dict(vars(imported(name, root)))
    except Exception as e:
        return "IMPORT", f"{type(e).__name__}: {e}"[:100]
    names.update(torch=torch, types=types, **{name.split(".")[0]: sys.modules[name.split(".")[0]]})
    for module in re.findall(r"\b((?:\w+\.)+)\w+\(", row["entry"] + row["arguments"]):
        try:
            importlib.import_module(module.rstrip("."))
        except ImportError:
            continue
        names.setdefault(module.split(".")[0], sys.modules[module.split(".")[0]])
    inside, outside = points(row)
    for sizes in inside:
        at = " ".join(f"{k}={v}" for k, v in sizes.items())
        try:
            signal.alarm(SECONDS)
            got = typed(called(row, names, sizes))
        except TooLong:
            return "TIME", at
        except torch.linalg.LinAlgError as e:  # of the numbers that were drawn, not of their sizes
            return "NUMBERS", f"{at}: {e}"[:160]
        except Exception as e:
            return "FAILS", f"{at}: {type(e).__name__}: {e}"[:160]
        finally:
            signal.alarm(0)
        want = TENSOR.sub(lambda m: f"{m[1]}[{','.join(sized(d, sizes) for d in axes(m[2]))}]", row["result"])
        if "?" not in want and "..." not in want and want.replace(" ", "") != got.replace(" ", ""):
            return "TYPE", f"{at}: {got}, not {want}"[:200]
    for sizes in outside:
        at = " ".join(f"{k}={v}" for k, v in sizes.items())
        try:
            signal.alarm(SECONDS)
            called(row, names, sizes)
        except Exception:
            continue
        finally:
            signal.alarm(0)
        return "RUNS", at
    return "OK", "; ".join(" ".join(f"{k}={v}" for k, v in s.items()) for s in inside) + f"; {len(outside)} outside"


def main():
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, alarm)
    load = torch.nn.Module.load_state_dict  # of weights that were not fetched
    torch.nn.Module.load_state_dict = lambda self, state, *args, **named: load(self, state, *args, **named) if isinstance(state, dict) else None
    folder = pathlib.Path(sys.argv[1])
    lines = (HERE / "models.tsv").read_text().splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    bad, stands = 0, None
    for row in rows:
        if row["state"] not in ("checked", "findings") or len(sys.argv) > 2 and row["package"] not in sys.argv[2:]:
            continue
        root = folder / row["package"]
        if stands is None or stands.root != root:
            sys.path.insert(0, str(root))
            if stands:
                sys.meta_path.remove(stands)
            else:
                sys.meta_path.insert(0, Stands(root, FETCHING))
            stands = Stands(root)
            sys.meta_path.append(stands)
        verdict, why = confirm(row, root)
        bad += verdict in ("FAILS", "RUNS", "TYPE")
        print(verdict, row["package"], row["file"], row["entry"], why, sep="\t", flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
