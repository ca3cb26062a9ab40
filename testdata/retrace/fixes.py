"""Runs each program with each edit that shapecheck trace proposes for it in the real framework: whether the edit does what it is proposed for.

  python fixes.py SHAPECHECK [--torch PYTHON] [--tf PYTHON] [--jax PYTHON] [--every N] FOLDER…

FOLDER/{tf,jax,compile,export,jit} have the programs, as files or in an archive; a framework without an interpreter is left out. An edit has to let the program run on, and
  of an error: the exception is gone, or the export that failed succeeds;
  of traces that are made again: fewer traces or graphs are made, and each call gives what it gave;
  of state that is kept: the programs that torch.export makes give, run one after the other, what the model gives;
  of a print: it prints as often as where functions run without being traced.
Printed are the edits that do not, and the number of those that do. With --every N each kind of edit is run at its first place and at every Nth, the others
are counted.
"""
import argparse, contextlib, json, os, pathlib, subprocess, sys, tempfile, types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import txtar

FRAMEWORKS = {"tf": "tf", "jax": "jax", "compile": "torch", "export": "torch", "jit": "torch"}


# ---- in the framework: one run of a program, as JSON ----

def text(v):
    """A value as its types; a number as it is."""
    if hasattr(v, "shape") and hasattr(v, "dtype"):
        return f"{v.dtype}{list(v.shape)}"
    if isinstance(v, (tuple, list)):
        return "(" + ", ".join(map(text, v)) + ")"
    if isinstance(v, dict):
        return "{" + ", ".join(f"{k}: {text(x)}" for k, x in v.items()) + "}"
    return repr(v) if isinstance(v, (int, float, str, bool, type(None))) else type(v).__name__


def watch_tf(seen):
    import tensorflow as tf
    from tensorflow.python.eager.polymorphic_function import polymorphic_function as pf
    functions, call, depth = [], pf.Function.__call__, [0]

    def watched(fn, *a, **k):
        if fn not in functions:
            functions.append(fn)
        depth[0] += 1
        try:
            out = call(fn, *a, **k)
        finally:
            depth[0] -= 1
        if not depth[0]:
            seen["results"].append(text(out))
        return out
    pf.Function.__call__ = watched
    return lambda: sum(f.experimental_get_tracing_count() for f in functions)


def eagerly(seen):
    """Has functions run without being traced, and leaves out what is printed by calls that raise or ask for a trace alone: no graph of theirs prints."""
    import builtins
    import tensorflow as tf
    from tensorflow.python.eager.polymorphic_function import polymorphic_function as pf
    tf.config.run_functions_eagerly(True)
    say, call, concrete, printed = builtins.print, pf.Function.__call__, pf.Function.get_concrete_function, [0]

    def counted(*a, **k):
        printed[0] += a[:1] == (MARK,)
        say(*a, **k)

    def called(fn, *a, **k):
        before = printed[0]
        try:
            return call(fn, *a, **k)
        except Exception:
            seen["lines"] -= printed[0] - before
            raise

    def asked(fn, *a, **k):
        before = printed[0]
        out = concrete(fn, *a, **k)
        seen["lines"] -= printed[0] - before
        return out
    builtins.print, pf.Function.__call__, pf.Function.get_concrete_function = counted, called, asked


def watch_jax(seen):
    import jax
    jit = jax.jit

    def watched(fun=None, **options):
        if fun is None:
            return lambda f: watched(f, **options)
        import functools

        @functools.wraps(fun)
        def body(*a, **k):
            seen["traces"] += 1
            return fun(*a, **k)
        f = jit(body, **options)

        @functools.wraps(fun)
        def run(*a, **k):
            out = f(*a, **k)
            seen["results"].append(text(out))
            return out
        return run
    jax.jit = watched
    return lambda: seen["traces"]


def watch_torch(seen):
    import copy
    import torch
    torch._logging.set_logs(all=50)
    compiles, export = torch.compile, torch.export.export

    def backend(graph, inputs):
        seen["traces"] += 1
        return graph.forward

    def watched(model=None, **options):
        if model is None:
            return lambda m: watched(m, **options)
        out = compiles(model, **dict(options, backend=backend))
        return out

    def exports(mod, args, kwargs=None, **options):
        before = copy.deepcopy(mod)
        try:
            program = export(mod, args, kwargs, **options)
        except BaseException:
            seen["exports"].append(False)
            raise
        seen["exports"].append(True)
        made = program.module

        def module(*a, **k):
            inner, model = made(*a, **k), copy.deepcopy(before)

            def run(*a, **k):
                with torch.no_grad():
                    try:
                        want = model(*copy.deepcopy(a), **copy.deepcopy(k))
                    except Exception:
                        want = None
                    out = inner(*a, **k)
                seen["equal"].append(want is not None and all(torch.equal(torch.as_tensor(x), torch.as_tensor(y)) for x, y in
                                     zip(torch.utils._pytree.tree_leaves(out), torch.utils._pytree.tree_leaves(want), strict=True)))
                return out
            return run
        program.module = module
        return program
    torch.compile, torch.export.export = watched, exports
    return lambda: seen["traces"]


MARK = "@@printed@@"


def serve(framework):
    """Runs programs as the lines of the input ask for, each in a process of its own that has the framework loaded."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    del sys.path[0]  # whose folders have the frameworks' names
    __import__({"tf": "tensorflow", "jax": "jax", "torch": "torch"}[FRAMEWORKS[framework]])
    if framework == "compile":
        import torch._dynamo  # noqa: F401
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        job = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            pid = os.fork()
            if pid == 0:
                os.chdir(folder)
                pathlib.Path(job["name"]).write_text(job["source"])
                run(framework, job["name"], job["mode"], answers)
                os._exit(0)
            if os.waitpid(pid, 0)[1] != 0:
                print(json.dumps({"error": "the process ended"}), file=answers, flush=True)


def run(framework, file, mode, answers):
    seen = {"error": None, "traces": 0, "results": [], "exports": [], "equal": [], "lines": 0}
    count = {"tf": watch_tf, "jax": watch_jax, "torch": watch_torch}[FRAMEWORKS[framework]](seen)
    if mode == "eager":
        eagerly(seen)
    program = types.ModuleType("__main__")
    program.__file__ = file
    sys.modules["__main__"] = program
    with tempfile.TemporaryFile() as out:  # tf.print and jax.debug.print write to the descriptors
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        try:
            exec(compile(pathlib.Path(file).read_text(), file, "exec"), program.__dict__)
        except Exception as e:
            seen["error"] = f"{type(e).__name__}: {str(e).strip().splitlines()[:1]}"
        sys.stdout.flush()
        sys.stderr.flush()
        out.seek(0)
        seen["lines"] += out.read().decode(errors="replace").count(MARK)
    seen["traces"] = count()
    print(json.dumps(seen), file=answers, flush=True)


# ---- the driver ----

def applied(source, edits):
    lines = source.splitlines(True)
    offset = lambda line, column: len("".join(lines[:line - 1]).encode()) + column - 1
    data = source.encode()
    for e in sorted(edits, key=lambda e: (e["line"], e["column"]), reverse=True):
        data = data[:offset(e["line"], e["column"])] + e["text"].encode() + data[offset(e["endLine"], e["endColumn"]):]
    return data.decode()


def prints(python, source, edit, name):
    """Why a print that an edit makes one of TensorFlow's does not print as often as without tracing; None: it does."""
    marked = lambda text: applied(source, [dict(edit, endColumn=edit["endColumn"] + 1, text=f'{text}("{MARK}", ')])
    now, want = outcome(python, "tf", marked(edit["text"]), name), outcome(python, "tf", marked("print"), name, "eager")
    return now["error"] if now["error"] != want["error"] else None if now["lines"] == want["lines"] else f"prints {now['lines']} times, {want['lines']} without tracing"


servers = {}


def outcome(python, framework, source, name, mode="traced"):
    if framework not in servers:
        servers[framework] = subprocess.Popen([python, __file__, "--serve", framework], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    s = servers[framework]
    print(json.dumps({"source": source, "name": name, "mode": mode}), file=s.stdin, flush=True)
    return json.loads(s.stdout.readline())


def fault(code, severity, was, now):
    """Why an edit does not do what it is for; None: it does."""
    faults = lambda r: (r["error"] is not None) + r["exports"].count(False)
    if now["error"] is not None and was["error"] is None:
        return now["error"]
    if code == "SC506":
        return None if not all(was["equal"]) and all(now["equal"]) and now["equal"] else f"runs equal the model's: {now['equal']}, {was['equal']} without it"
    if severity == "error":
        return None if faults(now) < faults(was) else now["error"] or f"{faults(now)} exports fail, {faults(was)} without it"
    if now["results"][:len(was["results"])] != was["results"]:
        return f"the results are {now['results']}, {was['results']} without it"
    return None if now["traces"] < was["traces"] else f"{now['traces']} traces, {was['traces']} without it"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tool")
    p.add_argument("folders", nargs="+", type=pathlib.Path)
    p.add_argument("--every", type=int, default=1, metavar="N")
    for f in sorted(set(FRAMEWORKS.values())):
        p.add_argument("--" + f)
    a = p.parse_args()
    n = bad = skipped = 0
    kinds = {}
    with contextlib.ExitStack() as files:
        for folder in a.folders:
            for framework, of in FRAMEWORKS.items():
                python = getattr(a, of)
                if not python:
                    continue
                for path in sorted(files.enter_context(txtar.unpacked(folder / framework)).glob("*.py")):
                    source = path.read_text()
                    d = json.loads(subprocess.run([a.tool, "trace", path, "--output-format", "json"], capture_output=True, text=True).stdout)
                    was = None
                    for x in d["diagnostics"]:
                        for f in x.get("fixes") or ():
                            title = f"{x['code']} {f['title']}"
                            kinds[title] = kinds.get(title, 0) + 1
                            if (kinds[title] - 1) % a.every:
                                skipped += 1
                                continue
                            if x["code"] == "SC507":
                                why = prints(python, source, *f["edits"], path.name)
                            else:
                                was = was or outcome(python, framework, source, path.name)
                                why = fault(x["code"], x["severity"], was, outcome(python, framework, applied(source, f["edits"]), path.name))
                            n += 1
                            bad += why is not None
                            print(f"{framework}/{path.name}:{x['line']}: {title}: {why or 'does'}", flush=True)
    for title, k in sorted(kinds.items()):
        print(f"{k:4} {title}")
    print(f"{n} edits, {bad} do not do what they are for" + (f"; SKIPPED ({skipped}): others of the same kinds" if skipped else ""))
    return bad


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    else:
        sys.exit(1 if main() else 0)
