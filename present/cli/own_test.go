package cli

import (
	"bytes"
	"os"
	"path/filepath"
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
