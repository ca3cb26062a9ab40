#!/usr/bin/env python3
"""Small files of tests in archives: programs.txtar in a folder has the files of its subject, in the form of golang.org/x/tools/txtar.

    txtar.py pack FOLDER NAME...     moves files of the folder into its archive
    txtar.py unpack FOLDER [OUT]     writes the files of the archive into OUT, with those beside it; without OUT in place of the archive
    txtar.py unpack-all FOLDER       unpacks each archive below the folder in its place

Recorders import it: read, write, unpacked.
"""
import contextlib
import pathlib
import re
import shutil
import sys
import tempfile

ARCHIVE = "programs.txtar"
MARK = re.compile(rb"^-- (.*?) --\r?\n", re.M)


def read(archive):
    """The comment of an archive, and its files: bytes by name."""
    data = pathlib.Path(archive).read_bytes()
    marks = [m for m in MARK.finditer(data) if m[1].strip()]
    ends = [m.start() for m in marks[1:]] + [len(data)]
    return data[:marks[0].start()] if marks else data, {m[1].strip().decode(): data[m.end():end] for m, end in zip(marks, ends)}


def write(archive, files, comment=b""):
    """Writes an archive. A file in it ends with a line, and has no line that begins another one."""
    out = [comment]
    for name, data in sorted(files.items()):
        if data and not data.endswith(b"\n") or MARK.search(data):
            raise ValueError(f"{name} cannot stand in an archive")
        out.append(b"-- %s --\n%s" % (name.encode(), data))
    pathlib.Path(archive).write_bytes(b"".join(out))


def pack(folder, names):
    archive = folder / ARCHIVE
    comment, files = read(archive) if archive.exists() else (b"", {})
    for name in names:
        files[name] = (folder / name).read_bytes()
    write(archive, files, comment)
    for name in names:
        (folder / name).unlink()


def unpack(folder, out=None):
    if out is None:
        out = folder
    else:
        shutil.copytree(folder, out, dirs_exist_ok=True)
    for name, data in read(folder / ARCHIVE)[1].items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    (out / ARCHIVE).unlink()


@contextlib.contextmanager
def unpacked(folder):
    """A folder with the files of an archive and those beside it; without an archive it is the folder itself."""
    folder = pathlib.Path(folder)
    if not (folder / ARCHIVE).exists():
        yield folder
        return
    with tempfile.TemporaryDirectory() as out:
        unpack(folder, pathlib.Path(out))
        yield pathlib.Path(out)


def main(command, folder, *rest):
    folder = pathlib.Path(folder)
    if command == "pack":
        pack(folder, rest)
    elif command == "unpack":
        unpack(folder, *map(pathlib.Path, rest))
    elif command == "unpack-all":
        for archive in sorted(folder.rglob(ARCHIVE)):
            unpack(archive.parent)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
