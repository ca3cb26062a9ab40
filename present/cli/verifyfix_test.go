package cli

// This file tests that fixes are verified on the whole program.

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A fix that lets the run get no further than to the next fault is a hint.
func TestFixThatMovesTheFaultIsAHint(t *testing.T) {
	text := `import torch


def denoise(latent, text):
    both = torch.cat([latent] * 2)
    return torch.bmm(both, text.transpose(1, 2))


uncond = torch.randn(1, 77, 8)
cond = torch.randn(1, 154, 8)
text = torch.cat([uncond, cond])
print(denoise(torch.randn(1, 16, 8), text).shape)
`
	name := writeFile(t, filepath.Join(t.TempDir(), "join.py"), text)
	for format, want := range map[string]string{"text": "= hint: dim should be 1", "concise": "; hint: dim should be 1",
		"agent": "\nhint: dim should be 1\n", "github": "hint: dim should be 1", "json": `"edits": []`} {
		if _, stdout, stderr := run(name, "--no-config", "--output-format", format); !strings.Contains(stdout, want) || strings.Contains(stdout, "fixable") {
			t.Errorf("%s:\n%s%s", format, stdout, stderr)
		}
	}
	if _, _, stderr := run(name, "--no-config", "--fix", "--unsafe-fixes"); readFile(t, name) != text || !strings.Contains(stderr, "0 fixed") {
		t.Errorf("%s\n%s", stderr, readFile(t, name))
	}
	// The same where the next call takes it: the whole program is right.
	text = strings.Replace(text, "[latent] * 2", "[latent]", 1)
	writeFile(t, name, text)
	if code, _, stderr := run(name, "--no-config", "--fix", "--unsafe-fixes"); code != 0 ||
		readFile(t, name) != strings.Replace(text, "cond])", "cond], dim=1)", 1) || !strings.Contains(stderr, "1 fixed") {
		t.Errorf("exit code %d %s\n%s", code, stderr, readFile(t, name))
	}
}

// Fixes of files that several entries and scripts read are tried on all of them.
func TestFixOfFoldersMindsEveryReader(t *testing.T) {
	dir := t.TempDir()
	part := "import torch.nn as nn\n\nhead = nn.Linear(8, 4)\n"
	use := func(n int) string {
		return fmt.Sprintf("import torch\n\nfrom part import head\n\nif __name__ == \"__main__\":\n    print(head(torch.rand(2, %d)))\n", n)
	}
	lib := writeFile(t, filepath.Join(dir, "part.py"), part)
	writeFile(t, filepath.Join(dir, "one.py"), use(16))
	t.Chdir(dir)
	code, stdout, stderr := run(".", "--no-config", "--diff", "--unsafe-fixes")
	if code != 1 || !strings.Contains(stdout, "+head = nn.Linear(16, 4)") || readFile(t, lib) != part {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	writeFile(t, filepath.Join(dir, "two.py"), use(8)) // which needs what one.py fails with
	code, stdout, stderr = run(".", "--no-config", "--fix", "--unsafe-fixes")
	if code != 1 || readFile(t, lib) != part || !strings.Contains(stderr, "0 fixed") || !strings.Contains(stdout, "= hint: in_features should be 16") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// More fixes than a run verifies say so.
func TestOnlySomeFixesAreVerified(t *testing.T) {
	text := "import torch\nimport torch.nn as nn\n\nx = torch.rand(2, 8)\n"
	for i := range 12 {
		text += fmt.Sprintf("a%d = nn.Linear(%d, 4)\nprint(a%d(x))\n", i, 9+i, i)
	}
	name := writeFile(t, filepath.Join(t.TempDir(), "many.py"), text)
	_, stdout, _ := run(name, "--no-config", "--output-format", "concise")
	if n := strings.Count(stdout, "should be 8\n"); n != 10 {
		t.Errorf("%d are verified:\n%s", n, stdout)
	}
	if n := strings.Count(stdout, "should be 8 (not verified)\n"); n != 2 {
		t.Errorf("%d are not:\n%s", n, stdout)
	}
	if code, _, stderr := run(name, "--no-config", "--fix", "--unsafe-fixes"); code != 0 || !strings.Contains(stderr, "12 fixed") {
		t.Errorf("exit code %d %s", code, stderr)
	}
}
