package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
)

// A comment of a library that is used, not checked, is no finding.
func TestCommentsOfLibrariesAreNotChecked(t *testing.T) {
	lib, project := t.TempDir(), t.TempDir()
	write := func(path, text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	body := "import torch\n\n\ndef forward(x):\n    y = torch.relu(x)  # (B, 4)\n    return y\n"
	write(filepath.Join(lib, "lib.py"), body)
	user := write(filepath.Join(project, "net.py"), "import lib\n\n\ndef forward(x):\n    return lib.forward(x)\n")
	own := write(filepath.Join(project, "own.py"), body)
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{own, "--arg", "x:f32[B,3]"}, check.ExitFindings},
		{[]string{user, "--path", lib, "--arg", "x:f32[B,3]"}, check.ExitClean},
		{[]string{"-m", "lib", "--path", lib, "--entry", "forward", "--arg", "x:f32[B,3]"}, check.ExitClean},
	} {
		var out bytes.Buffer
		if code := Run(c.args, strings.NewReader(""), &out, &out); code != c.want {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, code, c.want, &out)
		}
	}
}

// A fault inside an installed package is placed at the project's call, in every format, and the package's lines lead to it.
func TestFaultsInPackagesAreAtTheOwnCall(t *testing.T) {
	pathsProject(t, map[string]string{
		".venv/pyvenv.cfg": "",
		".venv/lib/python3.12/site-packages/libx/__init__.py": "from torch import nn\n\n\nclass Layer(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.fc = nn.Linear(4, 4)\n\n    def helper(self, x):\n        return self.fc(x)\n\n    def forward(self, x):\n        return self.helper(x)\n",
		"net.py": "from torch import nn\nfrom libx import Layer\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = Layer()\n\n" +
			"    def forward(self, x):\n        return self.a(x)\n",
	})
	args := []string{"net.py", "--entry", "Net()", "--arg", "x:f32[B,5]", "--output-format"}
	for format, want := range map[string]string{
		"concise": "net.py:11:16: error[SC101] ", "github": "::error file=net.py,line=11,", "text": "\n  --> net.py:11:16\n",
		"gitlab": `"path":"net.py"`, "junit": `file="net.py" line="11"`,
	} {
		code, stdout, stderr := runLine(append(args, format)...)
		if format == "gitlab" {
			stdout = strings.Join(strings.Fields(stdout), "")
		}
		if code != check.ExitFindings || !strings.Contains(stdout, want) || strings.Contains(stdout, "nn.Linear(5, 4)") {
			t.Errorf("%s: exit code %d\n%s%s", format, code, stdout, stderr)
		}
		if lib := "site-packages/libx/__init__.py:10"; format == "text" && !strings.Contains(stdout, lib+":16\n") ||
			format == "github" && !strings.Contains(stdout, lib+": where it fails") {
			t.Errorf("%s: no place in the package\n%s", format, stdout)
		}
	}
}

// The names of JUnit's cases say nothing of lines: they are the same where lines were moved, so that a server knows what it has seen.
func TestCasesKeepTheirNamesWhereLinesMove(t *testing.T) {
	const text = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.a = nn.Linear(4, 3)\n        self.b = nn.Linear(5, 2)\n\n    def forward(self, x):\n        return self.b(self.a(x))\n\n\n" +
		"def f(x: torch.Tensor):\n    return x.reluu()\n\n\nnn.Linear(3, 4)(torch.rand(2, 5))\n"
	pathsProject(t, map[string]string{"net.py": text, "sub/good.py": strings.Replace(text, "Linear(5", "Linear(3", 1)})
	names := regexp.MustCompile(`<testcase [^>]*?name="([^"]*)"`)
	cases := func() (list []string) {
		_, stdout, stderr := run(".", "--no-config", "--python", "none", "--output-format", "junit")
		for _, m := range names.FindAllStringSubmatch(stdout, -1) {
			list = append(list, m[1])
		}
		if len(list) < 4 {
			t.Fatalf("%v\n%s%s", list, stdout, stderr)
		}
		return list
	}
	before := cases()
	writeFile(t, "net.py", "\n# moved\n\n"+strings.ReplaceAll(text, "\n\n\n", "\n\n\n\n\n"))
	if after := cases(); !slices.Equal(before, after) {
		t.Errorf("%q become %q", before, after)
	}
}
