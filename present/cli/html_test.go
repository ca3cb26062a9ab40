package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

func TestPages(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	kept := filepath.Join(dir, "kept")
	args := []string{model, "--arg", "x:f32[B,3,32,32]", "--output-format", "html=" + page, "--cache=" + kept}
	runCLI(t, check.ExitFindings, args...)
	first := read()
	if !strings.Contains(first, "SC101") || !strings.Contains(first, "<title>shapecheck</title>") {
		t.Errorf("the page is\n%.2000s", first)
	}
	runCLI(t, check.ExitFindings, args...)
	if read() != first {
		t.Error("the cache changes the page")
	}
	runCLI(t, check.ExitClean, "../../testdata/readme", "--output-format", "html="+page)
	if got := read(); !strings.Contains(got, "Net()") || !strings.Contains(got, `class="memory"`) {
		t.Errorf("the page of a folder is\n%.2000s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "net.py"), []byte("def f(x):\n    return x + 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "shapecheck.toml"),
		[]byte("[[entries]]\nname = \"a\"\nfile = \"net.py\"\nentry = \"f\"\nargs = [\"x:f32[B]\"]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, "part.json")
	runCLI(t, check.ExitClean, "--config", filepath.Join(dir, "shapecheck.toml"), "--output-format", "json="+part, "--output-format",
		"html="+page)
	if got := read(); !strings.Contains(got, `<code class="type">f32[B]</code>`) {
		t.Errorf("the page of a project is\n%.2000s", got)
	}
	if !strings.Contains(read(), " --entry f --arg &#39;x:f32[B]&#39; -o model.onnx</code><br>writes it as ONNX; Netron shows") {
		t.Error("the page has no command that exports")
	}
	if strings.Contains(first, "shapecheck export") {
		t.Error("the page of what has an error proposes to export it")
	}
	_, stdout, stderr := run("merge", part, "--output-format", "html")
	if stdout != "" || !strings.Contains(stderr, "entry a has nothing for a page") {
		t.Errorf("%s%s", stdout, stderr)
	}
}
