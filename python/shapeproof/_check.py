"""check() and the parts of its result: the JSON document of `shapecheck --output-format json`."""

import json
import os
import re
import subprocess
from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._find import find_bin

__all__ = "Condition Diagnostic Edit Fix Line Result ShapecheckError UnknownValues UsageError check".split()

VERSION = 1  # of the document

StrPath = Union[str, "os.PathLike[str]"]
T = TypeVar("T")


class ShapecheckError(Exception):
    """The program failed, or its answer is not one that this package reads."""


class UsageError(ShapecheckError):
    """What was asked for is not possible: a file, an entry, an argument."""


@dataclass(frozen=True)
class Edit:
    """A replacement in a file; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    endLine: int
    endColumn: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A way to mend a finding; a safe one keeps the meaning of correct code."""

    title: str
    safe: bool
    edits: Tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """A finding; str() is one line, as compilers write them. related holds the trail."""

    code: str
    severity: str
    file: str
    line: int
    column: int
    endLine: int
    endColumn: int
    message: str
    related: Tuple[Mapping[str, Any], ...] = ()
    notes: Tuple[str, ...] = ()
    fixes: Tuple[Fix, ...] = ()

    def __str__(self) -> str:
        return "%s:%d:%d: %s[%s] %s" % (self.file, self.line, self.column, self.severity, self.code, self.message)


@dataclass(frozen=True)
class Condition:
    """A condition on the sizes that the entry needs, and the lines that need it."""

    condition: str
    because: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """The types that a statement gives its target."""

    file: str
    line: int
    target: str
    types: Tuple[str, ...]


@dataclass(frozen=True)
class UnknownValues:
    """A cause of values that are not known."""

    file: str = ""
    line: int = 0
    reason: str = ""
    values: int = 0


@dataclass(frozen=True)
class Result:
    """What a check found. document is the whole JSON document, also with the calls of modules."""

    checked: bool
    why_not: str
    output_type: str
    lines: Tuple[Line, ...]
    parameters: Mapping[str, str]
    buffers: Mapping[str, str]
    diagnostics: Tuple[Diagnostic, ...]
    contract: Tuple[Condition, ...]
    unknown: Tuple[UnknownValues, ...]
    summary: Mapping[str, int]
    document: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """Whether something was checked and nothing is an error."""
        return self.checked and not any(d.severity == "error" for d in self.diagnostics)


def check(
    file: StrPath,
    *,
    entry: Optional[str] = None,
    args: Optional[Mapping[str, str]] = None,
    eval: bool = False,
    assume: Sequence[str] = (),
    path: Sequence[StrPath] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> Result:
    """Check a file, as `shapecheck FILE --entry ENTRY --arg NAME:TYPE …` does.

    Without entry the file's comments, annotations or models say what is checked, as for
    `shapecheck FILE`; that must be one entry. args gives the arguments of the entry their
    types: {"x": "f32[B,3,H,W]"}; a value that begins with "=" is a value: {"n": "=3"}. timeout
    is in seconds, 0 is none; what was found until then is the result. Raises UsageError where
    the command line would exit with 2 and say why, and ShapecheckError where the program
    itself failed.
    """
    command = [find_bin(), "check", "--output-format=json"]
    if entry is not None:
        command.append("--entry=" + entry)
    for name, t in (args or {}).items():
        if not isinstance(t, str):
            raise TypeError('args: %s is %r; give a type such as "f32[B,3]" or a value such as "=3"' % (name, t))
        command.append("--arg=" + name + (t if t.startswith("=") else ":" + t))
    if eval:
        command.append("--eval")
    command += ["--assume=" + a for a in ([assume] if isinstance(assume, str) else assume)]
    command += ["--path=" + os.fspath(p) for p in ([path] if isinstance(path, (str, os.PathLike)) else path)]
    if timeout is not None:
        command.append("--timeout=%.9fs" % timeout)
    command += ["--", os.fspath(file)]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=cwd)
    said = p.stderr.decode("utf-8", "replace").strip()
    if not p.stdout:
        raise (UsageError if p.returncode == 2 else ShapecheckError)(said or "exit code %d" % p.returncode)
    try:
        document = json.loads(p.stdout.decode("utf-8"))
    except ValueError:
        raise ShapecheckError("the program's answer is no JSON document: " + said) from None
    if document.get("version") != VERSION:
        raise ShapecheckError("documents of version %s are not read" % document.get("version"))
    return _result(_only(document, said) if "entries" in document else document)


def _only(d: Dict[str, Any], said: str) -> Dict[str, Any]:
    """The result in the document of a file whose entries were found: there must be one."""
    entries: List[Dict[str, Any]] = d["entries"]
    entries = [e for e in entries if e.get("state") not in ("unsettled", "not checked")] or entries
    if len(entries) > 1:
        found = ["entry=%r, args=%r" % (e["name"], _args(e.get("args", ()))) for e in entries]
        raise UsageError("several entries were found; give one: " + "; ".join(found))
    if not entries:
        raise UsageError(said or "nothing to check: " + "; ".join(f["why_not"] for f in d.get("files", ()) if "why_not" in f))
    if "error" in entries[0]:
        raise UsageError("%s: %s" % (entries[0]["name"], entries[0]["error"]))
    result: Dict[str, Any] = entries[0]["result"]
    return result


def _args(flags: Iterable[str]) -> Dict[str, str]:
    """What --arg was given as check()'s args: "x:f32[B]" names a type, "n=3" a value."""
    named = [re.split("(?=[:=])", f, maxsplit=1) for f in flags]
    return {name: t.lstrip(":") for name, t in named}


def _result(d: Dict[str, Any]) -> Result:
    return Result(
        checked=d["checked"],
        why_not=d["why_not"],
        output_type=d["output_type"],
        lines=_all(Line, d["lines"]),
        parameters=dict(d["parameters"]),
        buffers=dict(d["buffers"]),
        diagnostics=tuple(_diagnostic(x) for x in d["diagnostics"]),
        contract=_all(Condition, d["contract"]),
        unknown=_all(UnknownValues, d["unknown"]),
        summary=d["summary"],
        document=d,
    )


def _diagnostic(d: Dict[str, Any]) -> Diagnostic:
    fixes = tuple(Fix(f["title"], f["safe"], _all(Edit, f["edits"])) for f in d["fixes"])
    return _one(Diagnostic, {**d, "fixes": fixes})


def _all(kind: Type[T], items: List[Dict[str, Any]]) -> Tuple[T, ...]:
    return tuple(_one(kind, i) for i in items)


def _one(kind: Type[T], d: Dict[str, Any]) -> T:
    """An object of what the class names; keys that later versions add are left out."""
    return kind(**{f.name: tuple(d[f.name]) if isinstance(d[f.name], list) else d[f.name] for f in fields(kind) if f.name in d})  # type: ignore[arg-type]
