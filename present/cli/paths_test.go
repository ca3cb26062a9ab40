package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/present/report"
)

// pathsProject writes files to a folder and goes there.
func pathsProject(t *testing.T, files map[string]string) {
	t.Helper()
	if _, err := schemas(); err != nil { // which lie where the test begins
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func runLine(line ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(line, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

const pathsNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3)
        self.fc = nn.Linear(width * 36, 10)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))
`

const pathsBad = `# shapecheck: check f x:f32[2,3]
def f(x):
    return x @ x
`

func TestFoldersAreCheckedByWhatIsFound(t *testing.T) {
	pathsProject(t, map[string]string{
		"models/net.py": pathsNet, "models/bad.py": pathsBad, "data.py": "import os\n", "skip/bad.py": pathsBad, ".venv/bad.py": pathsBad,
		"shapecheck.toml": "exclude = ['skip/']\n",
	})
	code, stdout, stderr := runLine(".")
	if code != check.ExitFindings || stderr != "" {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	for _, want := range []string{
		"models/bad.py\n  ✗ f  x f32[2,3]   1 error\n    models/bad.py:3:12: error[SC101] matmul(): ",
		"models/net.py\n  ✓ Net(width=64)  x f32[B,3,H,W] → f32[B,10]   H, W >= 3; (H - 2)*(W - 2) == 36   e.g. 8×8\n", "--> models/bad.py:3:12\n",
		"\n1 model: 1 checked; 1 entry: 1 with findings\n1 error, 1 fixable. 1 file without a model. ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it lacks %q:\n%s", want, stdout)
		}
	}
	texts := map[string]string{
		"models/two.py": "# shapecheck: check f x:f32[2,3]\ndef f(x):\n    y = x.view(4)\n    return x @ x\n",
		"lost.py":       "# shapecheck: check f\nimport nothing_of_that_name\ndef f():\n    return nothing_of_that_name.g()\n",
		"broken.ipynb":  "no JSON",
	}
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, stdout, _ = runLine("models/two.py", "lost.py", "broken.ipynb", "models/net.py")
	for _, want := range []string{"broken.ipynb\n  – is no notebook: line 1: ",
		"\n1 model: 1 checked; 3 entries: 1 with findings, 2 not checked\n2 errors, "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it lacks %q:\n%s", want, stdout)
		}
	}
	for name := range texts {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, _ := runLine("data.py", "models/net.py"); code != check.ExitClean {
		t.Errorf("without the fault: exit code %d", code)
	}
	if code, stdout, _ := runLine("data.py", "data.py", "shapecheck.toml"); code != check.ExitClean || !strings.Contains(stdout, "2 files without a model") {
		t.Errorf("nothing to check: exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := runLine("none", "data.py"); code != check.ExitUsage || !strings.Contains(stderr, "none: no such file or folder") {
		t.Errorf("no such folder: exit code %d\n%s", code, stderr)
	}
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runLine("empty"); code != check.ExitUsage || !strings.Contains(stderr, "empty: no Python files") {
		t.Errorf("an empty folder: exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := runLine(".", "--fix-comments", "insert", "--fix"); code != check.ExitUsage || !strings.Contains(stderr, "give one FILE") {
		t.Errorf("--fix-comments of a folder: exit code %d\n%s", code, stderr)
	}
}

func TestDocumentsOfPaths(t *testing.T) {
	pathsProject(t, map[string]string{"net.py": pathsNet, "data.py": ""})
	_, stdout, _ := runLine(".", "--output-format", "json")
	validate(t, "project-schema.json", stdout)
	var doc report.Project[any]
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Files) != 2 || len(doc.Entries) != 1 {
		t.Fatalf("%s", stdout)
	}
	e := doc.Entries[0]
	if e.File != "net.py" || e.How != check.ByTrial ||
		strings.Join(e.Args, " ") != "x:f32[B,3,H,W]" || len(e.Assumed) > 0 || len(e.Guess) != 2 ||
		e.Guess[0] != (record.Guessed{Text: "width=64", Basis: "read", Because: "its name or annotation says so", File: "net.py", Line: 6}) ||
		e.Guess[1] != (record.Guessed{Text: "x:f32[B,3,H,W]", Basis: "read", Because: "an operation takes this rank alone", File: "net.py", Line: 11}) {
		t.Errorf("%+v", e)
	}
	if f := doc.Files[0]; f.File != "data.py" || f.Runs != 0 || f.WhyNot == "" {
		t.Errorf("%+v", f)
	}
}

// An entry of the configuration goes before what would be discovered, and discover = false
// leaves other files alone.
func TestConfiguredFilesAmongPaths(t *testing.T) {
	files := map[string]string{"net.py": pathsNet, "other.py": pathsNet,
		"shapecheck.toml": "discover = false\n[[entries]]\nname = 'small'\nfile = 'net.py'\nentry = 'Net(2)'\nargs = ['x:f32[B,3,8,8]']\n"}
	pathsProject(t, files)
	_, stdout, _ := runLine(".", "--output-format", "json")
	validate(t, "project-schema.json", stdout)
	var doc report.Project[any]
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Entries) != 1 || doc.Entries[0].Name != "small" || doc.Entries[0].How != check.ByConfig || len(doc.Files) != 2 {
		t.Errorf("%s", stdout)
	}
}

// One FILE that nothing tells how to run is checked by what is found in it; where nothing is,
// the error says what is needed.
func TestOneFileIsCheckedByWhatIsFound(t *testing.T) {
	pathsProject(t, map[string]string{"net.py": pathsNet, "none.py": "def f(x):\n    return x\n"})
	code, stdout, stderr := runLine("net.py")
	if code != check.ExitClean || !strings.HasPrefix(stdout, "net.py\n  ✓ Net(width=64)  x f32[B,3,H,W] → f32[B,10]") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, line := range [][]string{{"net.py", "--arg", "y:f32[2,3]"}, {"net.py", "--arg", "x:f32[2,3]"}, {"none.py"}} {
		if code, _, stderr := runLine(line...); code != check.ExitUsage || stderr == "" {
			t.Errorf("%q: exit code %d", line, code)
		}
	}
}

// shapecheck right after shapecheck init has nothing to say, and init writes nothing over.
func TestInitWritesWhatIsDiscovered(t *testing.T) {
	softmax := strings.Replace(pathsNet, "return self", "return torch.nn.functional.softmax(self", 1) // over the batch, as an entry a warning
	softmax = strings.Replace(softmax, ".flatten(1))", ".flatten(1)), dim=0)", 1)
	files := map[string]string{"a/net.py": pathsNet, "bad.py": pathsBad, "soft.py": softmax, "data.py": ""}
	const want = `# assumed: width=64, x:f32[B,3,H,W]
[[entries]]
name = "a/net.py::Net(width=64)"
file = "a/net.py"
entry = "Net(width=64)"
args = ["x:f32[B,3,H,W]"]
expect = "f32[B,10]"
contract = ["H >= 3", "W >= 3", "(H - 2)*(W - 2) == 36"]
`
	pathsProject(t, files)
	if code, stdout, stderr := runLine("init", "--dry-run"); code != check.ExitClean || !strings.HasSuffix(stdout, "\n\n"+want) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, err := os.Stat("shapecheck.toml"); err == nil {
		t.Error("--dry-run wrote a file")
	}
	if code, _, stderr := runLine("init"); code != check.ExitClean {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	if code, stdout, stderr := runLine(); code != check.ExitClean {
		t.Errorf("after init: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := runLine("init"); code != check.ExitUsage || !strings.Contains(stderr, "nothing was written") {
		t.Errorf("a second time: exit code %d\n%s", code, stderr)
	}
	pathsProject(t, files)
	const project = "[project]\nname = 'x'\n[tool.ruff]\nline-length = 100"
	if err := os.WriteFile("pyproject.toml", []byte(project), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runLine("init", "a"); code != check.ExitClean {
		t.Fatalf("pyproject.toml: exit code %d\n%s", code, stderr)
	}
	text, err := os.ReadFile("pyproject.toml")
	if err != nil || string(text) != project+"\n\n"+strings.Replace(want, "[[entries]]", "[[tool.shapecheck.entries]]", 1) {
		t.Errorf("%v\n%s", err, text)
	}
	if code, stdout, stderr := runLine(); code != check.ExitClean {
		t.Errorf("after init: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := runLine("init", "data.py"); code != check.ExitUsage {
		t.Errorf("a table that is there: exit code %d\n%s", code, stderr)
	}
}

// What init writes is what a check finds, with the packages of the project's environment, in the line ends of the file; it ends as a
// check does.
func TestInitIsAsAChecks(t *testing.T) {
	const net = "import pkgx\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(pkgx.n, 3)\n\n" +
		"    def forward(self, x):\n        return self.fc(x)\n"
	files := map[string]string{
		"net.py": net, ".venv/pyvenv.cfg": "", ".venv/lib/python3.12/site-packages/pkgx/__init__.py": "n = 6\n",
		"long.py": "# shapecheck: check Long() x:f32[B]\nfrom torch import nn\n\nclass Long(nn.Module):\n    def forward(self, x):\n        while True:\n            x = x + 1\n",
	}
	pathsProject(t, files)
	if err := os.WriteFile("pyproject.toml", []byte("[tool.ruff]\r\nline-length = 100\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runLine("init", "--max-steps", "20000"); code != check.ExitClean {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	data, err := os.ReadFile("pyproject.toml")
	text := string(data)
	if err != nil || !strings.Contains(text, "args = [\"x:f32[B,6]\"]\r\n") || strings.Contains(text, "Long") {
		t.Errorf("%v\n%q", err, text)
	}
	if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("line ends are mixed: %q", text)
	}
	if code, stdout, stderr := runLine(); code != check.ExitClean {
		t.Errorf("after init: exit code %d\n%s%s", code, stdout, stderr)
	}
	pathsProject(t, files)
	if err := os.WriteFile("pyproject.toml", []byte("[tool\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runLine("init"); code != check.ExitUsage || strings.Contains(stderr, "written over") {
		t.Errorf("a file with an error: exit code %d\n%s", code, stderr)
	}
}

// What is asked of one entry is not left out without a word where there are several; what can be asked of all is.
func TestWhatIsAskedOfOneEntry(t *testing.T) {
	const norm = "from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.bn = nn.BatchNorm1d(4)\n\n    def forward(self, x):\n        return self.bn(x)\n"
	pathsProject(t, map[string]string{
		"d/net.py": norm, "two.py": norm, ".venv/pyvenv.cfg": "", ".venv/lib/python3.12/site-packages/pkgx.py": "n = 4\n",
		"uses.py": strings.Replace("import pkgx\n"+norm, "(4)", "(pkgx.n)", 1),
	})
	for _, line := range []string{
		"d two.py --weights none.safetensors", "d --attributes none.json", "d --stdin-filename a.py", "d --contract", "d --summary",
		"d --entry Net()", "d two.py --arg x:f32[2]", "--script",
	} {
		code, stdout, stderr := runLine(strings.Fields(line)...)
		if code != check.ExitUsage || stdout != "" || !strings.Contains(stderr, "give") {
			t.Errorf("%s: exit code %d\n%s%s", line, code, stdout, stderr)
		}
	}
	for _, again := range []string{"checked.", "cached."} {
		if _, stdout, stderr := runLine("d", "--cache"); !strings.Contains(stdout, "B >= 2 while training") || !strings.Contains(stdout, again) ||
			stderr != "" {
			t.Errorf("%s%s", stdout, stderr)
		}
	}
	if _, stdout, _ := runLine("d", "--eval"); strings.Contains(stdout, "B >= 2") {
		t.Errorf("--eval is left out:\n%s", stdout)
	}
	if _, stdout, _ := runLine("d", "uses.py", "-v"); !strings.HasSuffix(stdout, "\nenvironment: .venv; followed: pkgx\n") {
		t.Errorf("-v names no environment:\n%s", stdout)
	}
}

// TestAFindingIsPrintedOnceInAStream has a file that a guess is about before one that is sure of the same finding.
func TestAFindingIsPrintedOnceInAStream(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.py": "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\nclass Net(nn.Module):\n    def forward(self, atomic_numbers):\n" +
			"        return atomic_numbers + F.softmax(torch.zeros(2, 4)).sum()\n\n\nclass Only(nn.Module):\n    def forward(self, atomic_numbers):\n        return atomic_numbers + F.softmax(torch.zeros(5, 6)).sum()\n",
		"z.py": "import torch\nimport a\n\n\ndef f(x: torch.Tensor):\n    return a.Net()(x)\n\n# shapecheck: check f x:f32[2,4]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const sure, guess = "a.py:8:33: warning[SC406] softmax() without dim works on dimension 1 of [2,4]\n",
		"a.py:13:33: info[SC406] softmax() without dim works on dimension 1 of [5,6]\n"
	code, stdout, _ := run(".", "--output-format", "concise", "--output-format", "concise=whole.txt")
	whole, err := os.ReadFile("whole.txt")
	if err != nil {
		t.Fatal(err)
	}
	if code != check.ExitFindings || stdout != sure+guess || stdout != string(whole) {
		t.Errorf("exit code %d\n%snot\n%s", code, stdout, whole)
	}
	_, stdout, _ = run(".", "--output-format", "json-lines")
	if lines := strings.Split(stdout, "\n"); len(lines) != 3 || !strings.Contains(lines[0], `"severity":"warning"`) ||
		!strings.Contains(lines[1], `"severity":"info"`) {
		t.Errorf("json-lines:\n%s", stdout)
	}
	for _, arg := range []string{"-v", "--strict"} { // a line under its row, and the text with the source
		if _, stdout, _ = run(".", arg); strings.Count(stdout, "a.py:8:33") != 2 {
			t.Errorf("%s:\n%s", arg, stdout)
		}
	}
}

func TestStatisticsCountCodes(t *testing.T) {
	pathsProject(t, map[string]string{"a.py": pathsBad, "b.py": pathsBad, "c.py": "# shapecheck: chekc f\n" + pathsBad})
	code, stdout, stderr := runLine(".", "--statistics")
	if want := "     3  SC101  shapes do not fit together\n     1  SC692  comment cannot be read\n4 findings\n"; code != check.ExitFindings || stdout != want {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, stdout, _ := runLine("a.py", "--entry", "f", "--arg", "x:f32[2,2]", "--statistics"); stdout != "0 findings\n" {
		t.Errorf("of one entry without findings:\n%s", stdout)
	}
	if _, stdout, _ := runLine(".", "--statistics", "--output-format", "concise"); strings.Count(stdout, "\n") != 4 {
		t.Errorf("in another format:\n%s", stdout)
	}
}

// Nobody said that these are to be called, or run in this way.
func TestWhatNobodyAskedForIsNoError(t *testing.T) {
	pathsProject(t, map[string]string{
		"optim.py":        "from torch import nn\n\nclass Rule(nn.Module):\n    pass\n\nclass Names(nn.ParameterList):\n    def forward(self, *args):\n        raise RuntimeError('not to be called')\n",
		"chain.py":        "import chainer\n\nclass Rule(chainer.optimizer.GradientMethod):\n    def __init__(self, lr=0.1):\n        super().__init__()\n",
		"pkg/__init__.py": "",
		"pkg/torch.py":    "from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 2)\n\n    def forward(self, x):\n        return self.fc(x)\n",
		"lines.py":        "import sys\nimport torch\n\nif __name__ == '__main__':\n    for line in sys.stdin:\n        print(torch.zeros(3) + len(line))\n    print([w for l in sys.stdin.readlines() for w in l.split()], next(sys.stdin))\n",
	})
	code, out, said := runLine(".")
	if code != 0 || strings.Contains(out, "error") {
		t.Errorf("exit code %d\n%s%s", code, out, said)
	}
	if !strings.Contains(out, "x f32[*,4] → f32[*,2]") {
		t.Errorf("the model in the package is not found:\n%s", out)
	}
}

// The text of a module of an installed package imports, from the package around it, a name whose import waits there.
// (An editor's text has no second run in the order of the packages.)
func TestNamesOfThePackageAroundAText(t *testing.T) {
	const text = "from pkg.sub import Base\n\n\nclass Net(Base):\n    pass\n"
	pathsProject(t, map[string]string{
		"site-packages/pkg/__init__.py": "", "site-packages/pkg/sub/__init__.py": "from ._base import Base\nfrom ._net import Net\n",
		"site-packages/pkg/sub/_net.py":  text,
		"site-packages/pkg/sub/_base.py": "from torch import nn\n\n\nclass Base(nn.Module):\n    def forward(self, x):\n        return x.sum(1)\n",
	})
	var out, err bytes.Buffer
	code := Run([]string{"-", "--stdin-filename", "site-packages/pkg/sub/_net.py", "--entry", "Net()", "--arg", "x:f32[2,3]", "--no-config"},
		strings.NewReader(text), &out, &err)
	if code != 0 || !strings.Contains(out.String(), "Net() → f32[2]\n") {
		t.Errorf("exit code %d\n%s%s", code, &out, &err)
	}
}

// What cannot be tried has a line that says what to write, or a command that installs what is missing.
func TestFilesThatCannotBeTriedAreToldWhatToDo(t *testing.T) {
	pathsProject(t, map[string]string{
		"base.py": "from torch import nn\n\nclass Base(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError\n",
		"dim.py": "from torch import nn\n\ndef size(x):\n    return x.lower()\n\nclass Net(nn.Module):\n    def __init__(self, what):\n        super().__init__()\n" +
			"        self.n = size(what)\n\n    def forward(self, x):\n        return x.missing\n",
		"lost.py": "from torch import nn\nfrom no_such_package import Layer\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.a = Layer(3)\n\n    def forward(self, x):\n        return self.a(x)\n",
		"clean.py": pathsNet,
	})
	const comment = "say so in dim.py: # shapecheck: check Net(what=8) x:f32[B,C,H,W]\n"
	const modules = "\nnext: pip install no_such_package    (Net needs it)\n"
	for _, c := range []struct {
		file, says     string
		hinted, module bool
	}{
		{"base.py", "1 file without a model", false, false},
		{"dim.py", "? dim.py:4: Net fails with x f32[B,C,H,W]: 'int' object has no attribute 'lower'\n", true, false},
		{"lost.py", "no_such_package is not installed", false, true},
		{"clean.py", "1 checked", false, false},
	} {
		_, stdout, _ := runLine(c.file, "clean.py")
		if !strings.Contains(stdout, c.says) || strings.Contains(stdout, comment) != c.hinted || strings.Contains(stdout, modules) != c.module {
			t.Errorf("%s:\n%s", c.file, stdout)
		}
	}
}

// Entries that fail at one place with one message are said together, but with -v.
func TestEntriesThatFailTogetherAreSaidTogether(t *testing.T) {
	text := "from torch import nn\n\ndef size(x):\n    return {'a': 1}[x.lower()]\n"
	for _, name := range []string{"One", "Two", "Three", "Four"} {
		text += "\nclass " + name + "(nn.Module):\n    def __init__(self, what='b'):\n        super().__init__()\n        self.n = size(str(what))\n\n" +
			"    def forward(self, x):\n        return x.missing + self.n.missing\n\nmake = " + name + "\n"
	}
	pathsProject(t, map[string]string{"four.py": text, "one.py": "from torch import nn\n\nclass Alone(nn.Module):\n    def forward(self, x):\n" +
		"        raise ValueError('no')\n"})
	_, stdout, _ := runLine("four.py", "one.py")
	_, verbose, _ := runLine("-v", "four.py", "one.py")
	if want := "there is no key 'b' (so do Two, Three and 1 more)\n"; !strings.Contains(stdout, want) || strings.Contains(verbose, "(so do") {
		t.Errorf("%s\n%s", stdout, verbose)
	}
}

// What is said of a package does not depend on the names of the folders around it.
func TestNoNameOfAFolderMeansAnything(t *testing.T) {
	files := map[string]string{
		"pack/__init__.py": "from .models.net import Net\n",
		"pack/models/net.py": "import torch\nfrom torch import nn\n\nfrom .utils.crop import crop\n\n\nclass Net(nn.Module):\n    def __init__(self):\n" +
			"        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n\n    def forward(self, x):\n        return self.conv(crop(x))\n",
		"pack/models/utils/crop.py": "import torch\n\n\ndef crop(x, size=None):\n    if size is not None:\n        x = torch.relu(x)\n        x = x[..., :size]\n    return x\n",
	}
	first := ""
	for _, prefix := range []string{"lib", "site-packages", "dist-packages", "src", "vendor/x", "node_modules"} {
		there := map[string]string{}
		for name, text := range files {
			there[prefix+"/"+name] = text
		}
		pathsProject(t, there)
		_, stdout, stderr := run(prefix, "--no-config", "--python", "none", "--output-format", "json")
		if got := strings.ReplaceAll(stdout, prefix+"/", ""); first == "" {
			first = got
		} else if got != first {
			t.Errorf("below %s:\n%s%s\nelsewhere:\n%s", prefix, got, stderr, first)
		}
	}
	if !strings.Contains(first, `"test": "size is not None"`) || !strings.Contains(first, "f32[B,8,H-2,W-2]") {
		t.Error(first)
	}
}
