package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

// Findings alone are printed with -q, of folders, files and named entries; --jobs changes no byte.
func TestQuietAndJobs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const good = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 2)\n\n" +
		"    def forward(self, x):\n        return self.fc(x)\n"
	for name, text := range map[string]string{"a.py": good, "b.py": strings.Replace(good, "self.fc(x)", "self.fc(y)", 1), "c.py": good} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const found = "error[SC301]: name 'y' is not defined\n  --> b.py:10:24\n"
	for _, args := range [][]string{{"."}, {"b.py"}, {"b.py", "--entry", "Net()", "--arg", "x:f32[B,4]"}} {
		code, stdout, stderr := run(append(args, "-q")...)
		if code != check.ExitFindings || !strings.HasPrefix(strings.TrimSpace(stdout), found) || strings.Contains(stdout, "1 error") || stderr != "" {
			t.Errorf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := run("a.py", "c.py", "--quiet"); code != check.ExitClean || stdout+stderr != "" {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	_, one, _ := run(".", "--output-format", "json", "--jobs", "1")
	_, many, _ := run(".", "--output-format", "json", "--jobs", "3")
	if one != many {
		t.Errorf("--jobs changes what is said:\n%s\n%s", one, many)
	}
	if code, _, stderr := run(".", "--jobs", "-1"); code != check.ExitUsage || !strings.Contains(stderr, "--jobs -1") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// A folder of the name of a command is not checked by that name; who asks for it is told how.
func TestAFolderOfTheNameOfACommand(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, stderr := run("test"); code != check.ExitUsage || strings.Contains(stderr, "./test") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if err := os.Mkdir("test", 0o777); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run("test"); code != check.ExitUsage || !strings.Contains(stderr, "shapecheck ./test") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
