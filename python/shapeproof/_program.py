"""The program in a process of its own: its flags, its answer and its errors."""

import json
import os
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._find import find_bin

StrPath = Union[str, "os.PathLike[str]"]

# What an argument of an entry is: a type ("f32[B,3]"), a value ("=3", 3, None), or the sizes of a float32 tensor.
Arg = Union[str, int, float, None, Sequence[Union[int, str]]]
Args = Union[None, Mapping[str, Arg], Sequence[str]]


class ShapecheckError(Exception):
    """The program failed, or its answer is not one that this package reads."""


class UsageError(ShapecheckError):
    """What was asked for is not possible: a file, an entry, an argument."""


def target(
    file: StrPath,
    entry: Optional[str],
    args: Args,
    eval: bool,
    assume: Union[str, Sequence[str]],
    path: Union[StrPath, Sequence[StrPath]],
    timeout: Optional[float],
) -> List[str]:
    """The flags that say what is run, and the file behind them."""
    flags = [] if entry is None else ["--entry=" + entry]
    flags += ["--arg=" + a for a in _words(args)]
    if eval:
        flags.append("--eval")
    flags += ["--assume=" + a for a in ([assume] if isinstance(assume, str) else assume)]
    flags += ["--path=" + os.fspath(p) for p in ([path] if isinstance(path, (str, os.PathLike)) else path)]
    if timeout is not None:
        flags.append("--timeout=%.9fs" % timeout)
    return [*flags, "--", os.fspath(file)]


def _words(args: Args) -> List[str]:
    """The arguments of an entry as --arg has them."""
    if args is None:
        return []
    if isinstance(args, Mapping):
        return [name + _said(name, value) for name, value in args.items()]
    words = [args] if isinstance(args, str) else list(args)
    for w in words:
        if not isinstance(w, str):
            raise UsageError('args: %r is no text; give texts such as "x:f32[B,3]" and "n=3", or a dict: {"x": "f32[B,3]"}' % (w,))
    return words


def _said(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value if value.startswith("=") else ":" + value
    if value is None or isinstance(value, (bool, int, float)):
        return "=%r" % (value,)
    if isinstance(value, (tuple, list)) and all(isinstance(n, (int, str)) and not isinstance(n, bool) for n in value):
        return ":f32[%s]" % ",".join(map(str, value))
    raise UsageError('args: %s is %r; give a type such as "f32[B,3]", sizes such as (1, 3), or a value such as 3 or "=[1, 2]"' % (name, value))


def answer(flags: List[str], cwd: Optional[StrPath]) -> Tuple[Dict[str, Any], str]:
    """The JSON document that the program prints, and what it says beside it. Raises where there is none."""
    code, out, said = run_program(flags, cwd)
    if not out:
        raise (UsageError if code == 2 else ShapecheckError)(said or "exit code %d" % code)
    try:
        document: Dict[str, Any] = json.loads(out)
    except ValueError:
        raise ShapecheckError("the program's answer is no JSON document: " + said) from None
    return document, said


def run_program(flags: List[str], cwd: Optional[StrPath]) -> Tuple[int, str, str]:
    """The exit code of the program, what it prints and what it says on the error stream."""
    p = subprocess.run([find_bin(), *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=cwd)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace").strip()
