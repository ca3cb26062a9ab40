"""check() and the parts of its result: the JSON document of `shapecheck --output-format json`."""

import re
from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._program import Args, ShapecheckError, StrPath, UsageError, answer, target

__all__ = ["Condition", "Diagnostic", "Edit", "Fix", "Line", "Result", "UnknownValues", "check"]

VERSIONS = (1, 2)  # of the document

T = TypeVar("T")


@dataclass(frozen=True)
class Edit:
    """A replacement in a file; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A way to mend a finding; a safe one keeps the meaning of correct code."""

    title: str
    safe: bool
    edits: Tuple[Edit, ...]


@dataclass(frozen=True, repr=False)
class Diagnostic:
    """A finding; str() is one line, as compilers write them. related holds the trail."""

    code: str
    severity: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    related: Tuple[Mapping[str, Any], ...] = ()
    notes: Tuple[str, ...] = ()
    fixes: Tuple[Fix, ...] = ()

    def __str__(self) -> str:
        return "%s:%d:%d: %s[%s] %s" % (self.file, self.line, self.column, self.severity, self.code, self.message)

    def __repr__(self) -> str:
        return "<Diagnostic %s>" % _short(str(self), 200)


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


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        count = {s: sum(d.severity == s for d in self.diagnostics) for s in ("error", "warning", "info")}
        found = ["%d %s%s" % (n, s, "s" * (n != 1)) for s, n in count.items() if n]
        state = "checked" if self.checked else "not checked: " + self.why_not
        parts = [str(self.document.get("entry", "")), state, *found, *(c.condition for c in self.contract)]
        return "<Result %s -> %s>" % (_short("; ".join(p for p in parts if p), 160), _short(self.output_type or "?", 80))


def check(
    file: StrPath,
    *,
    entry: Optional[str] = None,
    args: Args = None,
    eval: bool = False,
    assume: Union[str, Sequence[str]] = (),
    path: Union[StrPath, Sequence[StrPath]] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> Result:
    """Check a file, as `shapecheck FILE --entry ENTRY --arg NAME:TYPE …` does.

    Without entry the file's comments, annotations or models say what is checked, as for
    `shapecheck FILE`; that must be one entry. args gives the arguments of the entry their
    types or values: {"x": "f32[B,3,H,W]"}, {"x": (1, 3, 32, 32)}, {"n": 3}, or as the command
    line has them, ["x:f32[B,3]", "n=3"]. timeout is in seconds, 0 is none; what was found until
    then is the result. Raises UsageError where the command line would exit with 2 and say why,
    and ShapecheckError where the program itself failed.
    """
    flags = ["check", "--output-format=json", *target(file, entry, args, eval, assume, path, timeout)]
    document, said = answer(flags, cwd)
    if document.get("version") not in VERSIONS:
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
    known = {"end_line": d.get("endLine"), "end_column": d.get("endColumn"), **d}
    return kind(**{f.name: _frozen(known[f.name]) for f in fields(kind) if f.name in known})  # type: ignore[arg-type]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
