"""python -m shapecheck runs the program."""

import os
import subprocess
import sys

from ._find import find_bin


def main() -> None:
    args = [find_bin(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(args[0], args)
    sys.exit(subprocess.run(args).returncode)


if __name__ == "__main__":
    main()
