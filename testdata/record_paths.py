"""Records what Python makes of programs whose conditions depend on data or sizes.

    python3 record_paths.py paths/*.txtar

A case has a line "signs: K". Its function forward is called with every tensor of
K elements that are 1 or -1, and the section want/python gets one line of JSON for
each different result: numbers, texts, None and lists as they are, a tuple as
{"tuple": [...]}, a dict as {"dict": [[key, value], ...]}, a tensor as
{"tensor": [sizes]}, an exception as {"raises": "its class"}. See paths_test.go in
package infer, which holds what the analysis finds against it.

A case with a line "lengths: 1 2 3" instead has forward called with a tensor of each
of these lengths, and a line [length, result] for each.
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
        line = json.dumps(result(text, torch.tensor(s)))
        if line not in out:
            out.append(line)
    return out


def result(text, x):
    scope = {"__name__": "prog"}
    exec(compile(text, "prog.py", "exec"), scope)
    try:
        return encode(scope["forward"](x))
    except Exception as e:
        if isinstance(e, TypeError) and "no encoding" in str(e):
            raise
        return {"raises": type(e).__name__}


def main():
    for path in sys.argv[1:]:
        text = open(path).read()
        head, *cases = re.split(r"(?m)^(?=-- case )", text)
        out = [head]
        for case in cases:
            case = re.sub(r"(?ms)^-- want/python --\n.*\Z", "", case)
            prog = re.search(r"(?ms)^-- prog.py --\n(.*)\Z", case).group(1)
            lengths = re.search(r"(?m)^lengths: (.*)$", case)
            if lengths:
                lines = [json.dumps([int(n), result(prog, torch.ones(int(n)))]) for n in lengths.group(1).split()]
            else:
                lines = results(prog, int(re.search(r"(?m)^signs: (\d+)", case).group(1)))
            out.append(case + "-- want/python --\n" + "".join(x + "\n" for x in lines))
        open(path, "w").write("".join(out))


if __name__ == "__main__":
    main()
