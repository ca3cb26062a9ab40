"""The other questions to the program: what a model costs and for which sizes it works, its ONNX model, its results."""

import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._program import Args, ShapecheckError, StrPath, UsageError, answer, run_program, target

__all__ = ["contract", "export", "run", "summary"]


def contract(
    file: StrPath,
    *,
    entry: Optional[str] = None,
    args: Args = None,
    form: str = "text",
    eval: bool = False,
    assume: Union[str, Sequence[str]] = (),
    path: Union[StrPath, Sequence[StrPath]] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> str:
    """The conditions on the sizes of an entry, as `shapecheck FILE --contract=FORM` prints them: text, jaxtyping,
    torch.export or json. Raises UsageError where nothing can be said."""
    code, out, said = run_program(["check", "--contract=" + form, *target(file, entry, args, eval, assume, path, timeout)], cwd)
    if not out and code != 0:
        raise UsageError(said or "exit code %d" % code)
    return out


def summary(
    file: StrPath,
    *,
    entry: Optional[str] = None,
    args: Args = None,
    at: Optional[Mapping[str, int]] = None,
    eval: bool = False,
    assume: Union[str, Sequence[str]] = (),
    path: Union[StrPath, Sequence[StrPath]] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> Dict[str, Any]:
    """What a model costs, as `shapecheck FILE --summary=json` has it: "layers", "totals", and of the sizes in at
    ({"B": 1, "H": 224}) the numbers in "at"."""
    flags = ["check", "--summary=json"]
    if at:
        flags.append("--at=" + ",".join("%s=%d" % (name, n) for name, n in at.items()))
    return answer([*flags, *target(file, entry, args, eval, assume, path, timeout)], cwd)[0]


def export(
    file: StrPath,
    output: StrPath,
    *,
    entry: Optional[str] = None,
    args: Args = None,
    weights: Optional[StrPath] = None,
    init: Optional[int] = None,
    train: bool = False,
    assume: Union[str, Sequence[str]] = (),
    path: Union[StrPath, Sequence[StrPath]] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> str:
    """Write the ONNX model of an entry, as `shapecheck export` does, and return what the program says of it. Raises
    UsageError or ShapecheckError, with the findings, where none is written."""
    flags = ["export", "--output=" + os.fspath(output), *_values(weights, init, train)]
    code, _, said = run_program([*flags, *target(file, entry, args, False, assume, path, timeout)], cwd)
    if code != 0:
        raise (UsageError if code == 2 else ShapecheckError)(said or "exit code %d" % code)
    return said


def run(
    file: StrPath,
    inputs: Mapping[str, Any],
    *,
    entry: Optional[str] = None,
    args: Args = None,
    weights: Optional[StrPath] = None,
    init: Optional[int] = None,
    train: bool = False,
    assume: Union[str, Sequence[str]] = (),
    path: Union[StrPath, Sequence[StrPath]] = (),
    timeout: Optional[float] = None,
    cwd: Optional[StrPath] = None
) -> Dict[str, Any]:
    """Run an entry, an ONNX model or a program, as `shapecheck run` does, and return its outputs by name, as numpy's arrays.

    inputs has arrays, or types of what is drawn: {"x": "f32[1,3,32,32]"}. Needs numpy.
    """
    import numpy  # type: ignore[import-not-found,unused-ignore]

    with tempfile.TemporaryDirectory(prefix="shapecheck-") as folder:
        out = os.path.join(folder, "out.npz")
        flags = ["run", "--output=" + out, *_values(weights, init, train)]
        for i, (name, value) in enumerate(inputs.items()):
            if isinstance(value, str):
                flags.append("--input=%s:%s" % (name, value))
                continue
            file_of = os.path.join(folder, "in%d.npy" % i)
            numpy.save(file_of, numpy.asarray(value), allow_pickle=False)
            flags.append("--input=%s=%s" % (name, file_of))
        code, _, said = run_program([*flags, *target(file, entry, args, False, assume, path, timeout)], cwd)
        if code != 0:
            raise (UsageError if code == 2 else ShapecheckError)(said or "exit code %d" % code)
        with numpy.load(out, allow_pickle=False) as loaded:
            return {name: loaded[name] for name in loaded.files}


def _values(weights: Optional[StrPath], init: Optional[int], train: bool) -> List[str]:
    """The flags for the values of parameters."""
    flags = [] if weights is None else ["--weights=" + os.fspath(weights)]
    if init is not None:
        flags.append("--init=%d" % init)
    return flags + ["--train"] * train
