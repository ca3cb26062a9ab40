"""Replays the counterexamples of shapecheck trace on the programs here, and on the oracle's, with torch.jit.trace and torch.export: replay.py SHAPECHECK [FOLDER]

A place that is "wrong when traced" comes with a pair of inputs: a trace made with the one has to give for the other something else than
the model, in the way that the report says; a place that state decides, something else at one of four further calls with the same inputs.
"""
import json, pathlib, re, subprocess, sys, warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
import txtar

warnings.filterwarnings("ignore")
DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "u8": torch.uint8, "bool": torch.bool}


def types(x):
    if torch.is_tensor(x):
        name = next(k for k, v in DTYPES.items() if v == x.dtype)
        return [f"{name}[{','.join(map(str, x.shape))}]"]
    if isinstance(x, (tuple, list)):
        return [t for e in x for t in types(e)]
    return [repr(x)]


def made(text):
    m = re.fullmatch(r"(\w+)\[([\d,]*)\]", text)
    if not m or m[1] not in DTYPES:
        return None
    shape, dtype = [int(n) for n in m[2].split(",") if n], DTYPES[m[1]]
    return torch.rand(shape).to(dtype) if dtype.is_floating_point else torch.zeros(shape, dtype=dtype)


def outcome(f, args):
    try:
        with torch.no_grad():
            return f(*args)
    except Exception as e:
        return e


def same(a, b):
    if torch.is_tensor(a) and torch.is_tensor(b):
        return a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a, b, equal_nan=True)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and not torch.is_tensor(a) and a == b


def difference(traced, model):
    """What a report calls it; None: there is none."""
    if isinstance(traced, Exception) or isinstance(model, Exception):
        return "both" if isinstance(traced, Exception) and isinstance(model, Exception) else "refused" if isinstance(traced, Exception) else "error"
    if same(traced, model):
        return None
    if torch.is_tensor(traced) and torch.is_tensor(model):
        return "shape" if traced.shape != model.shape else "dtype" if traced.dtype != model.dtype else "values"
    return "values"


def load(path):
    space = {"__name__": "program", "__file__": str(path)}
    torch.manual_seed(0)
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space


def replay(path, branch):
    space = load(path)
    w = branch.get("witness")
    if w is None:  # state
        first = outcome(space["net"], space["inputs"])
        differs = any(difference(first, outcome(space["net"], space["inputs"])) for _ in range(4))
        return None if differs else "further calls give the same"
    others = [o for o in space.get("others", []) if types(o) == w["other"]] or [tuple(map(made, w["other"]))]
    if any(x is None for o in others for x in o):
        return "skipped: no such inputs can be made"
    net = space["net"]
    f = (lambda *a: net(*a)) if not isinstance(net, torch.nn.Module) else net
    try:
        if None in space["inputs"]:  # which torch.jit.trace leaves out, and torch.export keeps
            traced = torch.export.export(net, space["inputs"]).module()
        else:
            traced = torch.jit.trace(f, space["inputs"], check_trace=False)
    except Exception as e:
        return f"skipped: torch.jit.trace does not take it ({type(e).__name__})"
    got = [difference(outcome(traced, o), outcome(net, o)) for o in others]
    return None if w["difference"] in got else f"differs by {got}, the report says {w['difference']}"


def main(tool, folder):
    n = bad = 0
    for path in sorted(folder.glob("*.py")):
        if path.name == "replay.py":
            continue
        flags = ["--others", "others"] if re.search(r"^others = ", path.read_text(), re.M) else []
        out = subprocess.run([tool, "trace", path, "--entry", "net", "--inputs", "inputs", *flags, "--output-format", "json"], capture_output=True, text=True)
        d = json.loads(out.stdout)
        for b in d.get("branches", []) + d.get("cases", []):
            if b.get("verdict") != "wrong":
                continue
            fault = replay(path, b)
            n += 1
            bad += fault is not None and not fault.startswith("skipped")
            print(f"{path.name}:{b['line']}: {fault or 'confirmed'}")
    print(f"{n} counterexamples, {bad} not confirmed")
    return bad


if __name__ == "__main__":
    with txtar.unpacked(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent) as programs:
        sys.exit(1 if main(sys.argv[1], programs) else 0)
