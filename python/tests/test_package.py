"""The Python package as it is installed: API, module and plug-in."""

import os
import subprocess
import sys
import sysconfig

import pytest

import shapeproof

pytest_plugins = ["pytester"]

RIGHT = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(10, 20)
        self.b = nn.Linear({}, 5)

    def forward(self, x):
        x = self.a(x).view(-1, 4, 20)
        return self.b(x)
""".lstrip()
WRONG = RIGHT.format(21)
RIGHT = RIGHT.format(20)


@pytest.fixture
def net(tmp_path):
    def write(text):
        path = tmp_path / "net.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_result(net):
    r = shapeproof.check(net(RIGHT), entry="Net()", args={"x": "f32[B,10]"})
    assert r.ok and r.checked and r.why_not == ""
    assert r.output_type == "f32[B//4,4,5]"
    assert [c.condition for c in r.contract] == ["B % 4 == 0"]
    assert r.parameters["b.weight"] == "f32[5,20]"
    assert [(line.line, line.target, line.types) for line in r.lines] == [(10, "x", ("f32[B//4,4,20]",)), (11, "return", ("f32[B//4,4,5]",))]
    assert r.summary["errors"] == 0 and r.document["calls"][1]["name"] == "a"


def test_finding(net):
    path = net(WRONG)
    r = shapeproof.check(path, entry="Net()", args={"x": "f32[B,10]"})
    assert not r.ok
    (d,) = r.diagnostics
    assert (d.code, d.severity, d.line, d.column) == ("SC101", "error", 11, 16)
    assert str(d) == "%s:11:16: error[SC101] %s" % (path, d.message)
    assert [f.title for f in d.fixes] == ["in_features should be 20"] and d.fixes[0].edits[0].text == "20"
    assert {t["line"] for t in d.related} >= {6, 7}


def test_assume_value_eval_and_timeout(net):
    r = shapeproof.check(net(RIGHT), entry="Net()", args={"x": "f32[B,10]"}, eval=True, assume=["B % 8 == 0"], timeout=5.5)
    assert r.ok and r.contract == ()
    path = net("def f(x, n):\n    return x.repeat(n, 1)\n")
    assert shapeproof.check(path, entry="f", args={"x": "f32[B,10]", "n": "=3"}).output_type == "f32[3*B,10]"


def test_nothing_checked(net):
    r = shapeproof.check(net("import nothing_of_that_name\n\ndef f(n):\n    return nothing_of_that_name.g(n)\n"), entry="f", args={"n": "=3"})
    assert not r.ok and not r.checked and "nothing_of_that_name" in r.why_not


def test_entries_that_are_found(net):
    r = shapeproof.check(net(RIGHT))
    assert r.ok and r.output_type == "f32[B//4,4,5]" and r.document["entry"] == "Net()"
    r = shapeproof.check(net("# shapecheck: check f x:f32[B,3] n=3\ndef f(x, n):\n    return x.repeat(n, 1)\n"))
    assert r.output_type == "f32[3*B,3]"
    two = "# shapecheck: check f x:f32[B,3] n=3\n# shapecheck: check g\ndef f(x, n):\n    return x * n\ndef g():\n    return 1\n"
    with pytest.raises(shapeproof.UsageError) as e:
        shapeproof.check(net(two))
    assert str(e.value) == "several entries were found; give one: entry='f', args={'x': 'f32[B,3]', 'n': '=3'}; entry='g', args={}"
    with pytest.raises(shapeproof.UsageError, match="no function forward and no model found"):
        shapeproof.check(net("x = 1\n"))
    broken = net("").with_suffix(".ipynb")
    broken.write_text("not json")
    with pytest.raises(shapeproof.UsageError, match="is no notebook: line 1"):
        shapeproof.check(broken)


def test_odd_arguments(net):
    x = {"x": "f32[B,10]"}
    r = shapeproof.check(net(RIGHT).rename(net(RIGHT).with_name("-h.py")).name, entry="Net()", args=x, cwd=net(RIGHT).parent)
    assert r.ok and r.lines[0].file == "-h.py"
    for timeout in (0, 1e6):
        assert shapeproof.check(net(RIGHT), entry="Net()", args=x, timeout=timeout).ok
    assert shapeproof.check(net(RIGHT), entry="Net()", args=x, timeout=1e-5).diagnostics[0].code == "SC904"
    assert shapeproof.check(net(RIGHT), entry="Net()", args=x, assume="B % 8 == 0", path=net(RIGHT).parent).contract == ()
    with pytest.raises(TypeError, match='args: x is 3; give a type such as "f32.B,3." or a value such as "=3"'):
        shapeproof.check(net(RIGHT), entry="Net()", args={"x": 3})


@pytest.mark.parametrize("file, entry, says", [("nix.py", "f", "no such file"), ("net.py", "Nett()", "Net")])
def test_usage(net, file, entry, says):
    path = net(RIGHT)
    with pytest.raises(shapeproof.UsageError, match=says):
        shapeproof.check(path.parent / file, entry=entry, args={"x": "f32[B,10]"})


MODULE = [sys.executable, "-m", "shapeproof"]
SCRIPT = [os.path.join(sysconfig.get_path("scripts"), "shapeproof")]


@pytest.mark.parametrize("command", [MODULE, SCRIPT])
def test_command(net, command):
    assert subprocess.check_output([*command, "--version"]).startswith(b"shapecheck ")
    assert subprocess.run([*command, "--no-such-flag"], stderr=subprocess.PIPE).returncode == 2
    p = subprocess.run([*command, "check", str(net(WRONG)), "--arg", "x:f32[B,10]"], stdout=subprocess.PIPE)
    assert p.returncode == 1 and b"error[SC101]" in p.stdout


# An installed program would be found beside the interpreter, so that these see another place for scripts.
LOST = "import sysconfig; sysconfig.get_path = lambda *a, **k: %r; import runpy, sys; sys.argv[1:] = %r; runpy.run_module(%r, run_name='__main__')"


@pytest.mark.parametrize("module, args", [("shapeproof", ["--version"]), ("pytest", ["-p", "no:cacheprovider", "-p", "shapeproof.pytest_plugin", "--shapecheck"])])
def test_no_program(tmp_path, module, args):
    code = LOST % (str(tmp_path), args, module)
    env = {**os.environ, "PATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    p = subprocess.run([sys.executable, "-c", code], cwd=str(tmp_path), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert b"the program shapecheck is neither beside the package nor on the PATH" in p.stderr and b"Traceback" not in p.stderr + p.stdout
    assert p.returncode == (2 if module == "shapeproof" else pytest.ExitCode.USAGE_ERROR)


CONFIG = """
[[entries]]
name = "right"
file = "right.py"
entry = "Net()"
args = ["x:f32[B,10]"]
[[entries]]
name = "wrong"
file = "wrong.py"
entry = "Net()"
args = ["x:f32[B,10]"]
[[entries]]
name = "missing"
file = "missing.py"
"""


def test_plugin(pytester):
    pytester.makepyfile("def test_nothing(): pass")
    pytester.path.joinpath("right.py").write_text(RIGHT)
    pytester.path.joinpath("wrong.py").write_text(WRONG)
    pytester.path.joinpath("shapecheck.toml").write_text(CONFIG)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    result = pytester.runpytest_subprocess("--shapecheck", "-v")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["shapecheck::right PASSED*", "shapecheck::wrong FAILED*", "wrong.py:11:16: error?SC101? linear: *", "  wrong.py:7: 21: *", "*missing.py: no such file*"])
    pytester.runpytest_subprocess("--shapecheck", "-k", "right").assert_outcomes(passed=1, deselected=3)
    pytester.makeini("[pytest]\nshapecheck = true\n")
    pytester.runpytest_subprocess().assert_outcomes(passed=2, failed=2)
    pytester.path.joinpath("wrong.py").write_text("import nothing_of_that_name\n\nclass Net:\n    def __call__(self, x):\n        return nothing_of_that_name.g(x)\n")
    result = pytester.runpytest_subprocess("-rs")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*not checked: module 'nothing_of_that_name' was not found"])
    pytester.path.joinpath("shapecheck.toml").unlink()
    result = pytester.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: shapecheck: no file given*"])
