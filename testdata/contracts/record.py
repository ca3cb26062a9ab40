"""Records for which sizes the programs in this folder run under PyTorch.

    python3 record.py *.txtar

The line "sizes:" of an archive lists the values of each symbol of the arguments
in "run:". For each combination, the last symbol running fastest, the section
"torch" gets a 1 where the program runs and a 0 where it raises. The Go tests
need only what was recorded; see contract/contract_test.go.
"""

import itertools
import re
import shlex
import sys

import torch

DTYPES = {"f32": torch.float32, "i64": torch.int64}


def values(text):
    if ".." in text:
        lo, hi = text.split("..")
        return list(range(int(lo), int(hi) + 1))
    return [int(n) for n in text.split(",")]


def argument(spec, env):
    name, dtype, dims = re.fullmatch(r"(\w+):(\w+)\[(.*)\]", spec).groups()
    shape = [int(eval(d, {}, env)) for d in dims.split(",")]
    return name, torch.zeros(shape, dtype=DTYPES[dtype])


def record(path):
    text = open(path).read()
    head, rest = text.split("-- model.py --\n")
    code = re.split(r"^-- ", rest, flags=re.M)[0]
    words = shlex.split(re.search(r"^run: (.*)$", head, re.M).group(1))
    specs = [words[i + 1] for i, w in enumerate(words) if w == "--arg"]
    sizes = [s.split("=") for s in re.search(r"^sizes: (.*)$", head, re.M).group(1).split()]
    out = ""
    for point in itertools.product(*[values(v) for _, v in sizes]):
        env = dict(zip([n for n, _ in sizes], point))
        scope = {}
        exec(code, scope)
        entry = scope.get("forward")
        if entry is None:
            entry = [c for c in scope.values() if isinstance(c, type) and issubclass(c, torch.nn.Module)][0]()
        try:
            entry(**dict(argument(s, env) for s in specs))
            out += "1"
        except (RuntimeError, ValueError, AssertionError, IndexError, TypeError):
            out += "0"
    lines = "\n".join(out[i : i + 100] for i in range(0, len(out), 100))
    open(path, "w").write(text[: text.index("-- torch --\n")] + "-- torch --\n" + lines + "\n")
    print(path, out.count("1"), "of", len(out))


if __name__ == "__main__":
    for path in sys.argv[1:]:
        record(path)
