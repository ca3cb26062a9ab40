"""python -m shapeproof and the script shapeproof run the program shapecheck."""

import os
import subprocess
import sys

from ._find import find_bin


def main() -> None:
    try:
        args = [find_bin(), *sys.argv[1:]]
    except FileNotFoundError as e:
        print("shapecheck:", e, file=sys.stderr)
        sys.exit(2)
    if os.name != "nt":
        os.execv(args[0], args)
    sys.exit(subprocess.run(args).returncode)


if __name__ == "__main__":
    main()
