"""Counts the bugs of bugs.txt that Pyrefly reports, for docs/comparison.md.

python3 pyrefly.py PYREFLY SITE-PACKAGES...

The folders are those of PyTorch and, before it, of pyrefly-torch-stubs and pyrefly-shape-extensions. A bug
counts where the changed program has an error that the right one does not have.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def errors(pyrefly, site, file):
    command = [pyrefly, "check", "--preset", "default", "--output-format", "json", "--skip-interpreter-query"]
    for folder in site:
        command += ["--site-package-path", folder]
    said = subprocess.run(command + [str(file)], capture_output=True, text=True, check=False)
    return [(e["name"], e["description"]) for e in json.loads(said.stdout)["errors"] if e["severity"] == "error"]


def main(pyrefly, *site):
    rows = [line.split(" | ") for line in (HERE / "bugs.txt").read_text().splitlines() if line and line[0] != "#"]
    found, right = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "program.py")
        for program, old, new, what in rows:
            text = (HERE / f"{program}.py").read_text()
            if program not in right:
                file.write_text(text)
                right[program] = errors(pyrefly, site, file)
            file.write_text(text.replace(old, new, 1))
            new_ones = [e for e in errors(pyrefly, site, file) if e not in right[program]]
            found += bool(new_ones)
            print(f"{program}: {what}: {'found ' + new_ones[0][0] if new_ones else 'missed'}")
    print(f"{found} of {len(rows)}")


main(*sys.argv[1:])
