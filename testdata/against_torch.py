"""Compares the expectations in testdata archives with what PyTorch does.

    python3 against_torch.py models/*.txtar infer/*.txtar

An archive (or a case of it) takes part when it has lines such as
"sizes: B=2 H=32 W=48". Its program runs once for each of them, with the
arguments of its "run:" line at those sizes. Checked are every "# shape:" comment
that was reached, and that a program with an "# error:" comment raises at that
line and one without does not. Nothing else is needed for the Go tests; this
is how the comments were found to be right. See tools/golden for the format.

    python3 against_torch.py --record corpus/*.txtar

writes down for which sizes a program runs: a line "grid: B=1..3 T=1,8" lists
the values of each symbol. For each combination, the last symbol running
fastest, the section want/torch of the case gets a 1 where the program runs and
a 0 where it raises; see contract/corpus_test.go. Without --record the
section is compared.

    python3 against_torch.py --confirm confirmed.txt */*.txtar

also writes down which comments were compared and right: for each case the digest
of its programs and their lines. tools/golden counts the others. What such a
case lacks to run may be said in its lines "given: NAME.ATTRIBUTE=EXPRESSION", the
attributes of modules (base(...) makes a class of modules with these attributes,
which has methods of any other name), "call: --arg ..." with arguments that the
annotations declare, and sections "given/FILE" with a file that the program reads.
"""

import argparse
import ast
import hashlib
import importlib.abc
import importlib.util
import itertools
import math
import os
import pickle
import re
import runpy
import shlex
import signal
import sys
import tempfile
import types
import unittest.mock

import numpy as np
import torch

DTYPES = {
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64, "bool": torch.bool,
    "c64": torch.complex64, "c128": torch.complex128,
}
NAMES = {v: k for k, v in DTYPES.items()}
ARRAYS = {str(torch.empty(0, dtype=v).numpy().dtype): k for k, v in DTYPES.items() if v != torch.bfloat16}
ARRAYS.update(uint16="u16", uint32="u32", uint64="u64")
TYPE = re.compile(r"\b(%s)\[([^\[\]]*)\]" % "|".join([*DTYPES, "u16", "u32", "u64"]))
FUNCS = {"ceil": math.ceil, "max": max, "min": min}


def split_archive(text):
    """Gives the comment and the (name, text) pairs of a txtar archive."""
    parts = re.split(r"^-- (.+) --$\n", text, flags=re.M)
    return parts[0], list(zip(parts[1::2], parts[2::2]))


def cases(path):
    comment, files = split_archive(open(path).read())
    list_ = [["", comment, {}]]
    for name, text in files:
        if name.startswith("case "):
            list_.append([name[5:], text if "run:" in text else comment + "\n" + text, {}])
            if "sizes:" not in text:
                list_[-1][1] += "\n" + "\n".join(l for l in comment.split("\n") if l.startswith("sizes:"))
        else:
            list_[-1][2][name] = text
    return [c for c in list_ if c[2]]


def split(dims):
    """Splits a list of sizes at the commas outside parentheses."""
    out, depth = [""], 0
    for c in dims:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            out.append("")
        else:
            out[-1] += c
    return out if dims.strip() else []


def size(expr, env):
    """Evaluates a size; None where it is unknown or has symbols of the data."""
    m = re.fullmatch(r"\s*(\d+) \((.*)\)\s*", expr)
    if m:
        return int(m[1])
    try:
        return eval(expr.strip(), dict(FUNCS), env)
    except (NameError, SyntaxError):
        return None


def make(text, env):
    """Makes the value of an argument."""
    def tensor(m):
        dims = [d.partition("=") for d in split(m[2])]
        shape = []
        for expr, _, example in dims:
            expr = {"*": "2", "?": "3"}.get(expr.strip(), expr)
            n = size(expr, env)
            shape.append(n if n is not None else int(example))
        return "__tensor__(%r, %r)" % (m[1], tuple(shape))

    def build(dt, shape):
        if DTYPES[dt].is_floating_point:
            return torch.randn(shape).to(DTYPES[dt])
        if dt == "bool":
            return torch.rand(shape) > 0.5
        return torch.randint(0, 4, shape).to(DTYPES[dt])

    if text.strip() in ("int", "float", "bool", "str"):
        return env[text.strip()]
    if text.strip().startswith("int="):
        return int(text.strip()[4:])
    text = re.sub(r"^\s*(float|bool|str)=", "", text)
    return lambda scope: eval(TYPE.sub(tensor, text), {"torch": torch, **scope}, {"__tensor__": build})


def type_text(v, depth=0):
    if isinstance(v, torch.Tensor):
        return "%s[%s]" % (NAMES[v.dtype], ",".join(map(str, v.shape)))
    if isinstance(v, np.ndarray) and str(v.dtype) in ARRAYS:
        return "%s[%s]" % (ARRAYS[str(v.dtype)], ",".join(map(str, v.shape)))
    if v is None:
        return "None"
    if isinstance(v, tuple):
        if hasattr(v, "_fields") and type(v).__module__ != "torch.return_types":
            return type(v).__name__ + "(" + ",".join(f + "=" + type_text(e) for f, e in zip(v._fields, v)) + ")"
        return "(" + ",".join(map(type_text, v)) + (",)" if len(v) == 1 else ")")
    if isinstance(v, list):
        return "[" + ",".join(map(type_text, v)) + "]"
    if isinstance(v, dict):
        return "{" + ",".join('"%s":%s' % (k, type_text(e)) for k, e in v.items()) + "}"
    if isinstance(v, (bool, int, float, str)):
        return "%s=%r" % (type(v).__name__, v)
    return type(v).__name__


def matches(expected, got, env):
    """Says whether a concrete type is one that the comment allows."""
    def pattern(m):
        if m[2].strip() == "*" or m[2].strip() == "...":
            return "\0%s\\[[^\\]]*\\]\0" % m[1]
        dims = split(m[2])
        lead = dims and dims[0].strip() in ("*", "...")
        sizes = [size(d, env) for d in dims[1 if lead else 0:]]
        return "\0%s\\[%s%s\\]\0" % (m[1], "(\\d+,)*" if lead else "", ",".join("\\d+" if s is None else str(s) for s in sizes))
    parts = TYPE.sub(pattern, expected).replace(" ", "").split("\0")
    rx = "".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts))
    return re.fullmatch(rx, got.replace(" ", "")) is not None


class Watch:
    """Collects the types of assigned targets and returned values by line."""

    def __init__(self, files):
        self.files = files
        self.pending = {}
        self.types = {}
        self.targets = {}
        for name, text in files.items():
            for node in ast.walk(ast.parse(text)):
                out = []
                if isinstance(node, ast.Assign):
                    out = node.targets
                elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
                    out = [node.target]
                elif isinstance(node, ast.Return):
                    out = ["return"]
                elif isinstance(node, ast.For):
                    out = [node.target]
                flat = list(out)
                while any(isinstance(t, (ast.Tuple, ast.List)) for t in flat):
                    flat = [e for t in flat for e in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
                if flat:
                    self.targets[name, node.lineno] = [t if t == "return" else ast.unparse(t) for t in flat if not isinstance(t, ast.Starred)]
                    last = node.iter if isinstance(node, ast.For) else node
                    self.targets[name, node.lineno].append(range(node.lineno, last.end_lineno + 1))

    def flush(self, frame):
        at = self.pending.pop(frame, None)
        if at is None or at not in self.targets:
            return
        for t in self.targets[at][:-1]:
            if t != "return":
                try:
                    v = eval(t, frame.f_globals, frame.f_locals)
                except Exception:
                    continue
                self.types.setdefault(at, {}).setdefault(t, []).append(type_text(v))

    def trace(self, frame, event, arg):
        name = os.path.basename(frame.f_code.co_filename)
        if name not in self.files:
            return None
        def local(frame, event, arg):
            at = self.pending.get(frame)
            if event == "line":
                self.raising.pop(frame, None)  # the exception was caught
                if at is not None and at in self.targets and frame.f_lineno in self.targets[at][-1]:
                    return local  # a further line of the same statement
                self.flush(frame)
                lines = [a for a in self.targets if a[0] == name and frame.f_lineno in self.targets[a][-1]]
                self.pending[frame] = min(lines, key=lambda a: len(self.targets[a][-1])) if lines else (name, frame.f_lineno)
            elif event == "return":
                plain = not frame.f_code.co_name.startswith("<")
                if plain and at is not None and at in self.targets and self.targets[at][0] == "return" and not self.raising.get(frame):
                    self.types.setdefault(at, {}).setdefault("return", []).append(type_text(arg))
                self.flush(frame)
            elif event == "exception":
                self.raising[frame] = True
                self.pending.pop(frame, None)
                if isinstance(arg[1], StopIteration):
                    self.raising.pop(frame)
            return local
        return local

    raising = {}


def run(label, header, files, env, job=None):
    p = argparse.ArgumentParser()
    p.add_argument("file")
    p.add_argument("--arg", action="append", default=[])
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--entry")
    p.add_argument("--call")
    p.add_argument("--eval", action="store_true")
    p.add_argument("--torch-version")
    p.add_argument("--path", action="append", default=[])
    p.add_argument("--script", nargs=argparse.REMAINDER)
    words = []
    for line in header.split("\n"):
        if line.startswith(("run:", "call:")):
            words += shlex.split(line.partition(":")[2])
    a = p.parse_args(words)
    with tempfile.TemporaryDirectory() as d:
        for name, text in files.items():
            if name.endswith(".py"):
                os.makedirs(os.path.dirname(os.path.join(d, name)) or d, exist_ok=True)
                open(os.path.join(d, name), "w").write(text)
        roots = [d] + [os.path.join(d, p) for p in a.path]
        sys.path[:0] = roots
        before = set(sys.modules)
        argv, home = sys.argv, os.getcwd()
        sys.argv = [a.file] + (a.script or [])
        os.chdir(d)  # what a program writes (torch.save, open) goes with the folder
        try:
            return (job or execute)(label, a, os.path.join(d, a.file), files, env)
        finally:
            sys.argv = argv
            os.chdir(home)
            for r in roots:
                sys.path.remove(r)
            for m in set(sys.modules) - before:
                if getattr(sys.modules[m], "__file__", None) and d in str(sys.modules[m].__file__):
                    del sys.modules[m]


def find_entry(a, mod):
    if a.entry:
        v = eval(a.entry, vars(mod))
    elif callable(vars(mod).get("forward")):
        v = mod.forward
    else:
        inst = [v for v in vars(mod).values() if isinstance(v, torch.nn.Module)]
        if inst:
            v = inst[0]
        else:
            own = [v for v in vars(mod).values() if isinstance(v, type) and issubclass(v, torch.nn.Module) and v.__module__ == mod.__name__]
            v = own[-1]
    if isinstance(v, type):
        v = v()
    if a.eval:
        v.eval()
    return getattr(v, a.call) if a.call else v


def call(a, path, env):
    """Loads the program and calls its entry, or runs it as a script."""
    torch.manual_seed(0)
    if a.script is not None:
        runpy.run_path(path, run_name="__main__")
        return
    if "/" in a.file:  # in a package
        mod = importlib.import_module(a.file[:-3].replace("/", "."))
    else:
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        mod = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = mod
        spec.loader.exec_module(mod)
    kw = {}
    for s in a.arg:
        m = re.match(r"\s*(\w+)\s*[:=](.*)", s, re.S)
        text = m[2].strip()
        if text in ("int", "float", "bool", "str"):
            kw[m[1]] = env.get(m[1], 3)
            continue
        v = make(text, env)
        kw[m[1]] = v(vars(mod)) if callable(v) else v
    with torch.no_grad():
        find_entry(a, mod)(**kw)


def runs(label, a, path, files, env):
    """Says whether the program runs with these sizes."""
    try:
        call(a, path, env)
        return "1"
    except Exception:  # the program's own failure is what is looked for
        return "0"


def execute(label, a, path, files, env):
    watch = Watch({os.path.basename(n): t for n, t in files.items() if n.endswith(".py")})
    watch.raising = {}
    error = None
    sys.settrace(watch.trace)
    try:
        call(a, path, env)
    except BaseException as e:  # the program's own failure is what is looked for
        sys.settrace(None)
        tb, places = e.__traceback__, []
        while tb is not None:
            places.append((os.path.basename(tb.tb_frame.f_code.co_filename), tb.tb_lineno))
            tb = tb.tb_next
        error = ([pl for pl in places if pl[0] in watch.files], e)
    finally:
        sys.settrace(None)
    bad = checked = 0
    expected = []
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        for n, line in enumerate(text.split("\n"), 1):
            m = re.search(r"#\s*(shape|error): ?(.*?)\s*$", line)
            at = (os.path.basename(name), n)
            if not m:
                continue
            if m[1] == "error":
                expected.append(at)
                continue
            outcomes = compared.setdefault((label, name, n), [])
            for target, types in watch.types.get(at, {}).items():
                parts = m[2]
                want = parts
                if target + "=" in parts.replace(" ", "") and target != "return":
                    segs = re.split(r",\s*(?=[A-Za-z_][\w.\[\]]*=)", parts)
                    want = next((s.split("=", 1)[1] for s in segs if s.split("=", 1)[0].strip() == target), None)
                    if want is None:
                        continue
                elif any(t + "=" in parts.replace(" ", "") for t in watch.types[at]):
                    continue  # the comment is about the other targets
                for got in types:
                    checked += 1
                    outcomes.append(True)
                    if not any(matches(w, got, env) for alt in want.split(" ; ") for w in alt.split(" | ")):
                        print("%s %s:%d: %s is %s, expected %s with %s" % (label, name, n, target, got, want, env))
                        bad += 1
                        outcomes.append(False)
    if expected and error is None:
        print("%s: PyTorch raises nothing, expected an error at %s, with %s" % (label, expected, env))
        bad += 1
    elif expected and not any(at in error[0] for at in expected):
        print("%s: PyTorch raises at %s: %s; expected at %s" % (label, error[0][-1:], error[1], expected))
        bad += 1
    if error is not None and not expected:
        print("%s: PyTorch raises at %s: %r with %s" % (label, error[0][-1:], error[1], env))
        bad += 1
    return checked, bad


# The outcomes of comments, by the label of the case, file and line.
compared = {}


def digest(files):
    """Identifies the programs of a case."""
    h = hashlib.sha256()
    for name, text in files.items():
        if name.endswith(".py"):
            h.update(("%s\n%s" % (name, text)).encode())
    return h.hexdigest()[:12]


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands for modules that are not installed, as far as any value will do."""

    def find_spec(self, name, path, target=None):
        top = name.partition(".")[0]
        # jaxtyping looks whether there are other frameworks
        return None if top in sys.stdlib_module_names or top in ("jax", "tensorflow", "mlx") else importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        m = unittest.mock.MagicMock(name=spec.name)
        m.__path__, m.__spec__ = [], spec
        m.__len__.return_value = 5
        return m

    def exec_module(self, module):
        pass


def base(**attributes):
    """Makes a class of modules with attributes, and with methods of all other names."""
    def init(self, *args, **kw):
        torch.nn.Module.__init__(self)

    def missing(self, name):
        try:
            return torch.nn.Module.__getattr__(self, name)
        except AttributeError:
            return attributes.get(name, lambda *args, **kw: None)

    return type("Base", (torch.nn.Module,), {"__init__": init, "__getattr__": missing})


def alone(label, header, files, env):
    """Runs a case in a folder with the files that it reads, without modules that are missing."""
    def job(label, a, path, files, env):
        for name, attribute, text in re.findall(r"^given: (\w+)\.(\w+)=(.*)$", header, re.M):
            setattr(importlib.import_module(name), attribute, eval(text, globals()))
        for text in files.values():
            for name in re.findall(r"""["']([\w.-]+\.txt)["']""", text):
                with open(name, "w") as f:
                    f.write("one two three\nfour five six\n" * 40)
        for name, text in files.items():
            if name.startswith("given/"):
                with open(name[len("given/"):], "w") as f:
                    f.write(text)
        return execute(label, a, path, files, env)

    sys.meta_path.append(Absent())
    return run(label, header, files, env, job)[1]


def guess(label, header, files):
    """Compares the comments of a case without sizes at sizes that come farthest."""
    best = {}
    # Assertions tell of values, which depend on the version; the comments after them are compared, too.
    files = {n: re.sub(r"^( *)assert .*$", r"\1pass", t, flags=re.M) if n.endswith(".py") else t for n, t in files.items()}
    if not torch.cuda.is_available():  # the shapes are the same on another device
        for old, new in ((r"\.cuda\(\)", ".cpu()"), (r"([\"'])cuda(:\d)?\1", r"\1cpu\1"), (r"torch\.cuda\.FloatTensor", "torch.FloatTensor")):
            files = {n: re.sub(old, new, t) for n, t in files.items()}
            header = re.sub(old, new, header)
    symbols = sorted(set(re.findall(r"\b[A-Za-z_]\w*", " ".join(m[2] for m in TYPE.finditer(header)))) - set(FUNCS))
    numbers = re.findall(r"(\w+):(?:int|float|bool|str)\b", header)
    for start, step in (2, 1), (4, 4), (6, 0), (2, 0), (1, 0), (32, 0), (64, 32):
        env = {n: start + step * i for i, n in enumerate(symbols)}
        env.update({n: 3 for n in numbers})
        found = apart(lambda: alone(label, header, files, env), 15)
        if found is None:  # it ended otherwise, or takes its time: other sizes will not help
            break
        right = {k: v for k, v in found[1].items() if k[0] == label and v and all(v)}
        if len(right) > len(best) and all(all(v) for k, v in found[1].items() if k[0] == label):
            best = right
        if found[0] == 0:
            break
    compared.update(best)


def apart(job, seconds):
    """Runs a job in a process of its own; gives its result and what it compared, or None."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(r)
        signal.alarm(seconds)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            out = (job(), compared)
        except BaseException:  # the program's own failure
            out = (1, compared)
        with os.fdopen(w, "wb") as f:
            pickle.dump(out, f)
        os._exit(0)
    os.close(w)
    with os.fdopen(r, "rb") as f:
        data = f.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else None


def confirm(out, paths):
    """Writes the comments that were right wherever they were compared."""
    lines = []
    for path in paths:
        archive = "/".join(os.path.abspath(path).split("/")[-2:])[:-len(".txtar")]
        for name, _, files in cases(path):
            label = os.path.basename(path) + ("/" + name if name else "")
            right = ["%s:%d" % k[1:] for k, v in compared.items() if k[0] == label and v and all(v)]
            if right:
                lines.append("\t".join([archive, name or "-", digest(files), " ".join(right)]))
    with open(out, "w") as f:
        f.write("# Shape comments that PyTorch %s confirmed, written by against_torch.py --confirm: archive, case, digest of its programs, lines.\n" % torch.__version__.split("+")[0])
        f.writelines(l + "\n" for l in sorted(lines))


def values(text):
    """Reads lists such as 1..8,16,24."""
    out = []
    for part in text.split(","):
        lo, _, hi = part.partition("..")
        out += range(int(lo), int(hi or lo) + 1)
    return out


def enumerate_grid(label, header, files, grid):
    names = [w.split("=")[0] for w in grid.split()]
    out = ""
    for point in itertools.product(*[values(w.split("=")[1]) for w in grid.split()]):
        out += run(label, header, files, dict(zip(names, point)), runs)
    return "\n".join(out[i : i + 100] for i in range(0, len(out), 100)) + "\n"


def record(paths, write):
    """Compares or writes the sections want/torch; gives how many are wrong."""
    wrong = 0
    for path in paths:
        text = open(path).read()
        for name, header, files in cases(path):
            for grid in re.findall(r"^grid: (.*)$", header, re.M):
                found = enumerate_grid(os.path.basename(path) + "/" + name, header, files, grid)
                if found == files["want/torch"]:
                    continue
                wrong += 1
                print("%s/%s: want/torch differs" % (path, name))
                at = text.index("-- want/torch --\n", text.index("-- case %s --\n" % name) if name else 0) + len("-- want/torch --\n")
                text = text[:at] + found + text[at + len(files["want/torch"]):]
        if write:
            open(path, "w").write(text)
    return 0 if write else wrong


def main():
    out = None
    if "--confirm" in sys.argv:
        i = sys.argv.index("--confirm")
        out = os.path.abspath(sys.argv[i + 1])
        del sys.argv[i:i + 2]
    paths = [p for p in sys.argv[1:] if p != "--record"]
    if "--record" in sys.argv:
        return record(paths, True)
    total = runs = 0
    wrong = record(paths, False)
    for path in paths:
        for name, header, files in cases(path):
            label = os.path.basename(path) + ("/" + name if name else "")
            sizes = [l[6:] for l in header.split("\n") if l.startswith("sizes:")]
            if out and not sizes:
                guess(label, header, files)
            for s in sizes:
                env = {k: (int(v) if v.lstrip("-").isdigit() else eval(v)) for k, v in (w.split("=") for w in s.split())}
                checked, bad = run(label, header, files, env)
                runs += 1
                total += checked
                wrong += bad
    if out:
        confirm(out, paths)
    print("%d runs, %d types compared, %d wrong" % (runs, total, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
