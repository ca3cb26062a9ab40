"""A pytest plug-in: the configured entries of the project as test items.

On with `pytest --shapecheck` or `shapecheck = true` in pytest's configuration. One process
checks all entries of shapecheck.toml or pyproject.toml; each is an item `shapecheck::NAME`.
"""

import json
import subprocess

import pytest

from ._check import Diagnostic, ShapecheckError, _diagnostic
from ._find import find_bin


def pytest_addoption(parser):
    text = "check the entries that the configuration of shapecheck names"
    parser.getgroup("shapecheck").addoption("--shapecheck", action="store_true", help=text)
    parser.addini("shapecheck", text, type="bool", default=False)


def pytest_collection(session):
    if session.config.option.shapecheck or session.config.getini("shapecheck"):
        session.config.pluginmanager.register(_Collector(), "shapecheck-collector")


class _Collector:
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session, config, items):
        root = Project.from_parent(session, name="shapecheck", nodeid="shapecheck")
        items.extend(root.collect())


class Project(pytest.Collector):
    def collect(self):
        try:
            program = find_bin()
        except FileNotFoundError as e:
            raise pytest.UsageError("shapecheck: %s" % e) from None
        p = subprocess.run([program, "--output-format", "json"], cwd=str(self.config.rootpath), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not p.stdout:
            raise pytest.UsageError(p.stderr.decode("utf-8", "replace").strip())
        document = json.loads(p.stdout.decode("utf-8"))
        for e in document["entries"]:
            yield Entry.from_parent(self, name=e["name"], failure=e.get("error", ""), result=e.get("result", {}))
        if document["diagnostics"]:
            yield Entry.from_parent(self, name="(comments)", failure="", result=document)


class Entry(pytest.Item):
    def __init__(self, *, failure, result, **kw):
        super().__init__(**kw)
        self.failure, self.unchecked = failure, not result.get("checked", True) and result["why_not"]
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
        return self.config.rootpath, None, self.nodeid


def text(d: Diagnostic) -> str:
    trail = ["  %s:%d: %s" % (r["file"], r["line"], r["message"]) for r in d.related]
    return "\n".join([str(d), *trail, *("  " + n for n in d.notes)])
