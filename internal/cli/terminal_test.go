package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Places of findings are links where the terminal knows them, and nothing of a program can be one.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a net;.py")
	text := "import torch\n\n\ndef forward(x):\n    raise ValueError('\\x1b]8;;file:///etc\\x1b\\\\y')\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for force, want := range map[string]bool{"1": true, "0": false} {
		t.Setenv("FORCE_HYPERLINK", force)
		var out, errs strings.Builder
		Run([]string{name, "--arg", "x:f32[B,3]"}, strings.NewReader(""), &out, &errs)
		link := "\x1b]8;;file://" + filepath.ToSlash(dir) + "/a%20net;.py#5\x1b\\"
		if got := strings.Contains(out.String(), link); got != want {
			t.Errorf("FORCE_HYPERLINK=%s: link %v: %q %s", force, got, out.String(), errs.String())
		}
		if n := strings.Count(out.String(), "\x1b"); (n > 0) != want || n%4 != 0 || strings.Contains(out.String(), "\x1b]8;;file:///etc") {
			t.Errorf("FORCE_HYPERLINK=%s: %d escapes: %q", force, n, out.String())
		}
	}
}

func TestTerminalsThatKnowLinks(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{{"", false}, {"TERM_PROGRAM=vscode", true}, {"TERM_PROGRAM=Apple_Terminal", false}, {"VTE_VERSION=7006", true}, {"VTE_VERSION=4000", false}, {"WT_SESSION=x", true}, {"KITTY_WINDOW_ID=1", true}} {
		name, value, _ := strings.Cut(c.env, "=")
		if got := knowsLinks(func(v string) string {
			if v == name {
				return value
			}
			return ""
		}); got != c.want {
			t.Errorf("%s: %v", c.env, got)
		}
	}
}
