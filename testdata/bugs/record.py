"""Runs the programs of this folder, as they are and with each bug of bugs.txt, in PyTorch, and writes truth.txt:
the line where the program raises and what, or that it is silent. python3 record.py"""
import os
import sys
import traceback
import warnings

import torch

warnings.simplefilter("ignore")
here = os.path.dirname(os.path.abspath(__file__))


def run(name, text):
    torch.manual_seed(0)
    try:
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    except Exception as e:
        lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == name]
        message = str(e).splitlines()[0] if str(e) else ""
        return f"raises at {lines[-1]}: {type(e).__name__}: {message}"
    return "silent"


rows = [f"# What PyTorch {torch.__version__} does, for each line of bugs.txt; written by record.py."]
stdout, sys.stdout = sys.stdout, open(os.devnull, "w")
for file in sorted(os.listdir(here)):
    if file.endswith(".py") and file not in ("record.py", "record_fixed.py", "pyrefly.py"):
        result = run(file, open(os.path.join(here, file)).read())
        assert result == "silent", (file, result)
for line in open(os.path.join(here, "bugs.txt")):
    if line.startswith("#"):
        continue
    name, old, new, _ = (part.strip() for part in line.split(" | "))
    text = open(os.path.join(here, name + ".py")).read()
    assert text.count("\n" + " " * (len(text.split(old)[0]) - len(text.split(old)[0].rstrip(" "))) + old + "\n") == 1, line
    rows.append(run(name + ".py", text.replace(old + "\n", new + "\n")))
sys.stdout = stdout
open(os.path.join(here, "truth.txt"), "w").write("\n".join(rows) + "\n")
