"""Records what Python leaves behind the loops of loops.txt: `python record.py` writes truth.tsv.

A case reads N and sets state; its line is the case's name, N and repr(state). most=N bounds N where the truth takes long.
"""
import pathlib
import re
import sys

COUNTS = (0, 1, 2, 3, 10, 1000, 10**6)


def main():
    here = pathlib.Path(__file__).parent
    lines = []
    for text in re.split(r"^### ", (here / "loops.txt").read_text(), flags=re.M)[1:]:
        head, body = text.split("\n", 1)
        name, *options = head.split()
        most = int(options[0].removeprefix("most=")) if options else COUNTS[-1]
        code = compile(body, name, "exec")
        for n in COUNTS:
            if n <= most:
                names = {"N": n, "__name__": "__main__"}
                exec(code, names)
                lines.append(f"{name}\t{n}\t{names['state']!r}\n")
        print(name, file=sys.stderr, flush=True)
    (here / "truth.tsv").write_text("".join(lines))


main()
