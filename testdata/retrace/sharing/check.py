"""Holds what shapecheck trace --for says of programs.py against PyTorch: check.py SHAPECHECK [NAME…]

torch.export: the text runs, and the program takes the sizes of the first class and no others. compile: the call runs under fullgraph
and makes one graph, each further class one more, and further sizes of these none. jit.trace: the trace gives for the sizes of the
first class what the model gives. Sizes are the examples and a sample of those for which the model runs.
"""
import json, math, pathlib, random, re, subprocess, sys, warnings

import torch
import torch._dynamo

warnings.filterwarnings("ignore")
here = pathlib.Path(__file__).parent
source = (here / "programs.py").read_text()
entries = re.findall(r"^# (\S.*)\nclass (\w+)", source, re.M)
SAMPLES = 12
KNOWN = {("Resize", "compile"): "whether tensors of four axes are channels last depends on sizes of 1"}


def report(tool, name, args, tracer):
    flags = [f for a in args.split() for f in ("--arg", a)]
    out = subprocess.run([tool, "trace", here / "programs.py", "--entry", name + "()", *flags, "--for", tracer, "--output-format", "json"], capture_output=True, text=True)
    return json.loads(out.stdout) if out.stdout else {"unknown": out.stderr, "classes": []}


def sizes(text):
    return {k: int(v) for k, v in (p.split("=") for p in text.split(", ") if p)}


def example(args, env):
    """The arguments, of types with the symbols of sizes."""
    torch.manual_seed(0)

    def tensor(m):
        shape = tuple(eval(d, dict(env)) for d in m[2].split(",") if d)
        return f"torch.zeros({shape}, dtype=torch.int64)" if m[1] == "i64" else f"torch.rand({shape})"

    out, named = [], {}
    for a in args.split():
        name, kind = re.match(r"(\w+)[:=](.*)", a).groups()
        if kind.startswith("int="):
            kind = kind[4:]
        if kind == "None":
            named[name] = None
            continue
        out.append(eval(re.sub(r"(f32|i64)\[([^\]]*)\]", tensor, kind), {"torch": torch}))
    return tuple(out), named


def holds(c, env):
    return all(eval(k, {"ceil": math.ceil, "min": min, "max": max, **env}) for k in c["conditions"])


def samples(model, args, d):
    """Sizes of the classes, and others, which the model takes."""
    rng = random.Random(1)
    envs = [sizes(c["example"]) for c in d["classes"]]
    names = list(envs[0])
    envs += [{n: rng.choice((1, 2, 3, 4, 6, 8, 12, 16, 20)) for n in names} for _ in range(SAMPLES)]
    for env in envs:
        inputs, named = example(args, env)
        if not all(eval(k["condition"], {"ceil": math.ceil, **env}) for k in d["constraints"] if k["model"]):
            continue  # broadcasts, which the contract leaves out
        try:
            model(*inputs, **named)
        except Exception:
            continue
        yield env, inputs, named


def fresh(name):
    space = {"__name__": "programs"}
    torch.manual_seed(1)
    exec(source, space)
    return space, space[name]().eval()


def check_export(name, args, d):
    space, model = fresh(name)
    exec(d["text"], space)
    program = space["program"].module()
    for env, inputs, named in samples(model, args, d):
        try:
            program(*inputs, **named)
            taken = True
        except (AssertionError, RuntimeError):
            taken = False
        if taken != holds(d["classes"][0], env):
            return f"{env} is {'taken' if taken else 'refused'}"


def check_compile(name, args, d):
    torch._dynamo.reset()
    torch._dynamo.config.recompile_limit = 64
    made = []

    def backend(gm, _):
        made.append(gm)
        return gm.forward
    space, model = fresh(name)
    space["backend"] = backend
    exec(d["text"].replace("torch.compile(", "torch.compile(backend=backend, fullgraph=True, model="), space)
    if len(made) != 1:
        return f"{len(made)} graphs"
    seen = [d["classes"][0]]
    for env, inputs, named in samples(model, args, d):
        before = len(made)
        known = any(holds(c, env) for c in seen)
        if not known and not any(holds(c, env) for c in d["classes"]):
            if d["complete"]:
                return f"{env} is in no class"
            continue
        seen += [c for c in d["classes"] if not known and holds(c, env)]
        space["model"](*inputs, **named)
        if len(made) - before != (not known):
            return f"{env} makes {len(made) - before} graphs"


def check_trace(name, args, d):
    space, model = fresh(name)
    torch.manual_seed(1)
    space["__fast__"] = torch.backends.mha.set_fastpath_enabled(False)  # it does other operations while tracing
    exec(d["text"].replace(name + "()", name + "().eval()"), space)
    for env, inputs, named in samples(model, args, d):
        if not holds(d["classes"][0], env):
            continue
        a, b = space["traced"](*inputs, **named), space["model"](*inputs, **named)
        if not all(torch.allclose(x, y, equal_nan=True) if x.shape == y.shape else False for x, y in zip(*([v] if torch.is_tensor(v) else v for v in (a, b)))):
            return f"{env} gives something else"


def main(tool, names):
    bad = 0
    for args, name in entries:
        if names and name not in names:
            continue
        for tracer, check in (("torch.export", check_export), ("compile", check_compile), ("jit.trace", check_trace)):
            d = report(tool, name, args, tracer)
            if not d.get("text"):
                print(f"{name} {tracer}: no text: {d.get('unknown')}")
                continue
            try:
                fault = check(name, args, d)
            except Exception as e:
                fault = f"{type(e).__name__}: {str(e)[:600]}"
            known = KNOWN.get((name, tracer))
            if known and not fault:
                fault = f"no longer differs ({known})"
            elif known:
                fault, d["note"] = None, known
            bad += fault is not None
            print(f"{name} {tracer}: {fault or d.get('note') or 'ok'}")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
