"""A pytest plug-in: the configured entries of the project as test items.

On with `pytest --shapecheck` or `shapecheck = true` in pytest's configuration. The configuration, shapecheck.toml or
pyproject.toml, is a file of tests: each entry is an item shapecheck.toml::NAME. One process checks all of them; on the
command line shapecheck::NAME selects one of all, whatever the configuration is called.
"""

import json
import os
import subprocess

import pytest

from ._check import Diagnostic, _diagnostic
from ._find import find_bin
from ._program import ShapecheckError

ALIAS = "shapecheck"
ENTRIES = "shapecheck_entries"  # in config.option, which pytest-xdist hands to its workers


def pytest_addoption(parser):
    text = "check the entries that the configuration of shapecheck names"
    parser.getgroup("shapecheck").addoption("--shapecheck", action="store_true", help=text)
    parser.addini("shapecheck", text, type="bool", default=False)


def pytest_configure(config):
    if config.option.shapecheck or config.getini("shapecheck"):
        try:
            find_bin()
        except FileNotFoundError as e:
            raise pytest.UsageError("shapecheck: %s" % e) from None
        found = _configuration(str(config.rootpath))
        if found is None:
            raise pytest.UsageError("shapecheck: no shapecheck.toml, and no pyproject.toml with [tool.shapecheck], in %s or above" % config.rootpath)
        config.pluginmanager.register(_Collector(found), "shapecheck-collector")
        config.args[:] = _arguments(config, found)


def _configuration(folder):
    """The nearest configuration, as the program finds it."""
    while True:
        for name, mark in (("shapecheck.toml", ""), ("pyproject.toml", "[tool.shapecheck")):
            file = os.path.join(folder, name)
            if os.path.isfile(file):
                with open(file, encoding="utf-8", errors="replace") as f:
                    if mark in f.read():
                        return file
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _arguments(config, found):
    """What is collected: the configuration, too, where it is neither named nor in a folder that is. Tests that
    somebody names on the command line are alone, but with --shapecheck."""
    start = str(config.invocation_params.dir)
    out, has, selected = [], False, getattr(config.option, ENTRIES, [])
    for arg in config.args:
        file, colons, rest = arg.partition("::")
        path = os.path.join(start, file)
        if file == ALIAS and not os.path.exists(path):
            selected = selected + [rest] * bool(rest)
            arg, path, colons = found, found, ""
        has = has or os.path.realpath(path) == os.path.realpath(found) or not colons and os.path.isdir(path) and _below(found, path)
        if arg != found or found not in out:
            out.append(arg)
    setattr(config.option, ENTRIES, selected)
    source = getattr(config, "args_source", None)  # since pytest 7.2
    named = source is not None and source == type(source).ARGS
    return out if has or named and not config.option.shapecheck else [*out, found]


def _below(file, folder):
    return os.path.realpath(file).startswith(os.path.join(os.path.realpath(folder), ""))


class _Collector:
    def __init__(self, found):
        self.found = os.path.realpath(found)

    def pytest_collect_file(self, parent, file_path):
        if os.path.realpath(str(file_path)) == self.found:
            return Project.from_parent(parent, path=file_path)
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config, items):
        selected = getattr(config.option, ENTRIES)
        if not selected:
            return
        entries = [i for i in items if isinstance(i, Entry)]
        for name in set(selected) - {e.entry_name for e in entries}:
            raise pytest.UsageError("shapecheck: no entry %s; there are: %s" % (name, ", ".join(e.entry_name for e in entries)))
        left = [e for e in entries if e.entry_name not in selected]
        config.hook.pytest_deselected(items=left)
        items[:] = [i for i in items if i not in left]


class Project(pytest.File):
    def collect(self):
        command = [find_bin(), "--config", str(self.path), "--output-format", "json"]
        folder = str(self.config.rootpath)
        p = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not p.stdout:
            raise pytest.UsageError(p.stderr.decode("utf-8", "replace").strip())
        document = json.loads(p.stdout.decode("utf-8"))
        entries = list(document["entries"])
        if document["diagnostics"]:
            entries.append({"name": "(comments)", "result": document})
        yield from _tree(self, [(e["name"].split("::"), e) for e in entries])


def _tree(parent, items):
    """Nodes of what names with :: say, as pytest reads them back: a.py::Net() is Net() in a.py."""
    groups = {}
    for parts, e in items:
        if len(parts) > 1:
            groups.setdefault(parts[0], []).append((parts[1:], e))
        else:
            yield Entry.from_parent(parent, name=parts[0], entry=e)
    for name, below in groups.items():
        yield Group.from_parent(parent, name=name, items=below)


class Group(pytest.Collector):
    def __init__(self, *, items, **kw):
        super().__init__(**kw)
        self.items = items

    def collect(self):
        return _tree(self, self.items)


class Entry(pytest.Item):
    def __init__(self, *, entry, **kw):
        super().__init__(**kw)
        result = entry.get("result", {})
        self.entry_name = entry["name"]
        self.failure = entry.get("error", "")
        self.unchecked = entry.get("why_not", "") or not result.get("checked", True) and result["why_not"]
        if entry.get("state", "") == "weak":
            self.unchecked = "its arguments are a guess: " + ", ".join(g["text"] for g in entry.get("guess", ()) if g["basis"] != "given")
        self.diagnostics = [_diagnostic(d) for d in result.get("diagnostics", [])]

    def runtest(self):
        found = [text(d) for d in self.diagnostics if d.severity != "info"]
        if self.failure or found:
            raise ShapecheckError("\n".join([self.failure] * bool(self.failure) + found))
        if self.unchecked:  # which is no success
            pytest.skip("not checked: " + self.unchecked)

    def repr_failure(self, excinfo):
        return str(excinfo.value) if excinfo.errisinstance(ShapecheckError) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, "entry " + self.entry_name  # no end of the id, in which pytest would replace dots


def text(d: Diagnostic) -> str:
    trail = ["  %s:%d: %s" % (r["file"], r["line"], r["message"]) for r in d.related]
    return "\n".join([str(d), *trail, *("  " + n for n in d.notes)])
