package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"shapecheck/internal/diag"
)

// A check ends after the timeout of the configuration.
func TestTimeoutOfTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	const config = "timeout = \"40ms\"\n[[entries]]\nfile = \"net.py\"\nentry = \"f\"\nargs = [\"x:f32[B]\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "shapecheck.toml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	c := start(t, dir, utf16Encoding, "{}")
	defer c.end()
	c.open("net.py", "def f(x):\n    for i in range(80000):\n        x = x + i\n    return x\n")
	for _, d := range c.wait("net.py").Diagnostics {
		if d.Code == string(diag.BudgetExceeded) {
			return
		}
	}
	t.Error("the check went on")
}
