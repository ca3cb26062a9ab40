package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A fix is offered where the whole program is better with it; one that lets the run get no further than to the next fault is a hint.
func TestFixesAreVerified(t *testing.T) {
	const text = `import torch


def denoise(latent, text):
    both = torch.cat([latent] * 2)
    return torch.bmm(both, text.transpose(1, 2))


uncond = torch.randn(1, 77, 8)
cond = torch.randn(1, 154, 8)
text = torch.cat([uncond, cond])
print(denoise(torch.randn(1, 16, 8), text).shape)
`
	dir := t.TempDir()
	c := start(t, dir, utf16Encoding, "{}")
	defer c.end()
	for i, x := range []struct {
		text, says string
		offered    bool
	}{{text, "\nhint: dim should be 1", false}, {strings.Replace(text, "[latent] * 2", "[latent]", 1), "\nfix: dim should be 1", true}} {
		name := fmt.Sprintf("net%d.py", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(x.text), 0o666); err != nil {
			t.Fatal(err)
		}
		c.open(name, x.text)
		list := c.wait(name).Diagnostics
		if !slices.ContainsFunc(list, func(d diagnostic) bool { return strings.Contains(d.Message, x.says) }) {
			t.Errorf("%s does not say %q: %+v", name, x.says, list)
		}
		var actions []codeAction
		at := position{10, 8}
		c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": textRange{at, at},
			"context": map[string]any{"diagnostics": []any{}}}, &actions)
		offered := slices.ContainsFunc(actions, func(a codeAction) bool { return strings.Contains(a.Title, "dim should be 1") })
		if offered != x.offered {
			t.Errorf("%s: the fix is offered: %v, of %+v", name, offered, actions)
		}
	}
}
