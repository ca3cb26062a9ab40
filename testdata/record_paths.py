"""Records what Python makes of programs whose conditions depend on data.

    python3 record_paths.py paths/*.txtar

A case has a line "signs: K". Its function forward is called with every tensor of
K elements that are 1 or -1, and the section want/python gets one line of JSON for
each different result: numbers, texts, None and lists as they are, a tuple as
{"tuple": [...]}, a dict as {"dict": [[key, value], ...]}, a tensor as
{"tensor": [sizes]}, an exception as {"raises": "its class"}. See paths_test.go in
package infer, which holds what the analysis finds against it.
"""

import itertools
import json
import re
import sys

import torch


def encode(v):
    if v is None or isinstance(v, (bool, int, str)):
        return v
    if isinstance(v, float):
        return {"float": repr(v)}
    if isinstance(v, torch.Tensor):
        return {"tensor": list(v.shape)}
    if isinstance(v, tuple):
        return {"tuple": [encode(x) for x in v]}
    if isinstance(v, list):
        return [encode(x) for x in v]
    if isinstance(v, dict):
        return {"dict": [[encode(k), encode(x)] for k, x in v.items()]}
    raise TypeError(f"no encoding for {type(v)}")


def results(text, signs):
    out = []
    for s in itertools.product((1.0, -1.0), repeat=signs):
        scope = {"__name__": "prog"}
        exec(compile(text, "prog.py", "exec"), scope)
        try:
            r = encode(scope["forward"](torch.tensor(s)))
        except Exception as e:
            if isinstance(e, TypeError) and "no encoding" in str(e):
                raise
            r = {"raises": type(e).__name__}
        line = json.dumps(r)
        if line not in out:
            out.append(line)
    return out


def main():
    for path in sys.argv[1:]:
        text = open(path).read()
        head, *cases = re.split(r"(?m)^(?=-- case )", text)
        out = [head]
        for case in cases:
            case = re.sub(r"(?ms)^-- want/python --\n.*\Z", "", case)
            signs = int(re.search(r"(?m)^signs: (\d+)", case).group(1))
            prog = re.search(r"(?ms)^-- prog.py --\n(.*)\Z", case).group(1)
            out.append(case + "-- want/python --\n" + "".join(x + "\n" for x in results(prog, signs)))
        open(path, "w").write("".join(out))


if __name__ == "__main__":
    main()
