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


@pytest.mark.parametrize("args", [{"x": (8, 10)}, {"x": ["B", 10]}, ["x:f32[B,10]"], ("x:f32[8,10]",), "x:f32[B,10]"])
def test_forms_of_arguments(net, args):
    assert shapeproof.check(net(RIGHT), entry="Net()", args=args).output_type in ("f32[2,4,5]", "f32[B//4,4,5]")
    path = net("def f(x, n, k=1, on=False):\n    return x.repeat(n, 1) if on else x\n")
    values = {"x": (2, 3), "n": 3, "k": None, "on": True}
    assert shapeproof.check(path, entry="f", args=values).output_type == "f32[6,3]"


@pytest.mark.parametrize("args", [{"x": object()}, {"x": (1, 2.5)}, {"x": (True, 2)}, [3], {"x": {}}])
def test_arguments_that_are_none(net, args):
    with pytest.raises(shapeproof.UsageError, match="args: .*; give "):
        shapeproof.check(net(RIGHT), entry="Net()", args=args)


def test_texts_of_results_are_short(net):
    long = WRONG.replace("return self.b(x)", "return self.b(x) if x.shape[0] > 3 else self.b(x)")
    r = shapeproof.check(net(long), entry="Net()", args={"x": "f32[B,10]"})
    assert repr(r).startswith("<Result Net(); checked; 1 error; ") and len(repr(r)) < 300
    assert "SC101" in repr(r.diagnostics[0]) and len(repr(r.diagnostics[0])) < 250
    assert (r.diagnostics[0].end_line, r.diagnostics[0].fixes[0].edits[0].end_column) == (11, 30)


def test_version():
    program = subprocess.check_output([shapeproof.find_bin(), "--version"]).decode()
    assert isinstance(shapeproof.__version__, str) and ("+source" in shapeproof.__version__ or shapeproof.__version__[:3] in program)


def test_contract_summary_and_export(net, tmp_path):
    path, args = net(RIGHT), {"x": "f32[B,10]"}
    assert "B % 4 == 0" in shapeproof.contract(path, entry="Net()", args=args)
    assert '"B % 4 == 0"' in shapeproof.contract(path, args=args, form="json")
    s = shapeproof.summary(path, args=args, at={"B": 8})
    assert s["entry"] == "Net()" and s["layers"][1]["output"] == "f32[B,20]" and len(s["at"]) == 1
    said = shapeproof.export(path, tmp_path / "net.onnx", args=args, init=0)
    assert "outputs output f32" in said and (tmp_path / "net.onnx").stat().st_size > 100
    for failing in (lambda: shapeproof.contract(path, args={"y": "f32[3]"}), lambda: shapeproof.summary(tmp_path / "nix.py")):
        with pytest.raises(shapeproof.UsageError):
            failing()
    with pytest.raises(shapeproof.ShapecheckError, match="SC101"):
        shapeproof.export(net(WRONG), tmp_path / "wrong.onnx", args=args)
    assert not (tmp_path / "wrong.onnx").exists()


def test_run(net):
    numpy = pytest.importorskip("numpy")
    x = numpy.ones((8, 10), dtype="float32")
    first, again = (shapeproof.run(net(RIGHT), {"x": x}, args={"x": "f32[B,10]"}, init=0)["output"] for _ in range(2))
    assert first.shape == (2, 4, 5) and (first == again).all()
    assert shapeproof.run(net(RIGHT), {"x": "f32[4,10]"}, args={"x": "f32[B,10]"}, init=0)["output"].shape == (1, 4, 5)
    with pytest.raises(shapeproof.ShapecheckError, match="B % 4 == 0"):
        shapeproof.run(net(RIGHT), {"x": x[:3]}, args={"x": "f32[B,10]"}, init=0)


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


def test_entries_with_colons(pytester):
    pytester.path.joinpath("right.py").write_text(RIGHT)
    entry = '[[entries]]\nname = "right.py::Net() [%s]"\nfile = "right.py"\nentry = "Net()"\nargs = ["x:f32[%s,10]"]\n'
    pytester.path.joinpath("shapecheck.toml").write_text(entry % ("B", "B") + entry % ("4", "4"))
    result = pytester.runpytest_subprocess("--shapecheck", "-v")
    result.assert_outcomes(passed=2)
    name = "shapecheck.toml::right.py::Net() [4]"
    result.stdout.fnmatch_lines(["shapecheck.toml::right.py::Net() ?4? PASSED*"])
    pytester.runpytest_subprocess("--shapecheck", name).assert_outcomes(passed=1)


def test_plugin(pytester):
    pytester.makepyfile("def test_nothing(): pass")
    pytester.path.joinpath("right.py").write_text(RIGHT)
    pytester.path.joinpath("wrong.py").write_text(WRONG)
    pytester.path.joinpath("shapecheck.toml").write_text(CONFIG)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    result = pytester.runpytest_subprocess("--shapecheck", "-v")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["shapecheck.toml::right PASSED*", "shapecheck.toml::wrong FAILED*", "wrong.py:11:16: error?SC101? linear: *", "  wrong.py:7: 21: *", "*missing.py: no such file*"])
    pytester.runpytest_subprocess("--shapecheck", "-k", "right").assert_outcomes(passed=1, deselected=3)
    pytester.makeini("[pytest]\nshapecheck = true\n")
    pytester.runpytest_subprocess().assert_outcomes(passed=2, failed=2)
    pytester.runpytest_subprocess("test_plugin.py").assert_outcomes(passed=1)
    pytester.runpytest_subprocess("--shapecheck", "test_plugin.py").assert_outcomes(passed=2, failed=2)
    pytester.runpytest_subprocess("shapecheck.toml::wrong").assert_outcomes(failed=1)
    pytester.runpytest_subprocess("--lf").assert_outcomes(failed=2)
    pytester.runpytest_subprocess("shapecheck::right", "shapecheck::wrong", "--shapecheck").assert_outcomes(passed=1, failed=1, deselected=1)
    result = pytester.runpytest_subprocess("shapecheck::wrongg")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: shapecheck: no entry wrongg; there are: right, wrong, missing"])
    pytester.path.joinpath("wrong.py").write_text("import nothing_of_that_name\n\nclass Net:\n    def __call__(self, x):\n        return nothing_of_that_name.g(x)\n")
    result = pytester.runpytest_subprocess("-rs")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*not checked: module 'nothing_of_that_name' was not found"])
    pytester.path.joinpath("shapecheck.toml").unlink()
    result = pytester.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: shapecheck: no shapecheck.toml, and no pyproject.toml with *"])
