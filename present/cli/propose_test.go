package cli

// This file tests the edits that shapecheck trace proposes for scripts.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"shapecheck/tools/testfiles"
	"slices"
	"strings"
	"testing"
)

// With the edits that are proposed for fix_NAME.py, one finding after the other, it is fix_NAME_made.py. The records of both programs,
// which
// other tests hold, are what the framework did with them: fewer traces, exports that succeed, no errors.
func TestProposedEditsAreThoseThatTheFrameworksTook(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/retrace/*/" + testfiles.Archive)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, folder := range folders {
		list, err := filepath.Glob(filepath.Join(testfiles.Unpack(t, filepath.Dir(folder)), "fix_*.py"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	n := 0
	for _, file := range files {
		made, err := os.ReadFile(strings.TrimSuffix(file, ".py") + "_made.py")
		if err != nil {
			continue // it is one that was made
		}
		n++
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		for range 3 {
			next := edited(t, text)
			if next == text {
				break
			}
			text = next
		}
		if text != string(made) {
			t.Errorf("%s becomes\n%s", file, text)
		}
	}
	if n < 11 {
		t.Errorf("%d programs", n)
	}
}

// edited is a program with the first edits that are proposed for it, besides those of prints.
func edited(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Diagnostics []struct {
			Code  string
			Fixes []struct {
				Edits []struct {
					Line, Column, EndLine, EndColumn int
					Text                             string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(stdoutOf([]string{"trace", file, "--output-format", "json"})), &d); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, column int) int { return len(strings.Join(lines[:line-1], "")) + column - 1 }
	for _, x := range d.Diagnostics {
		if x.Code == "SC507" || len(x.Fixes) == 0 {
			continue
		}
		edits := x.Fixes[0].Edits
		slices.Reverse(edits)
		for _, e := range edits {
			text = text[:offset(e.Line, e.Column)] + e.Text + text[offset(e.EndLine, e.EndColumn):]
		}
		break
	}
	return text
}

func TestNothingIsProposedThatDoesNotHelp(t *testing.T) {
	for _, text := range []string{
		// The condition is on the elements of an array: no argument can be static.
		"import jax, jax.numpy as jnp\n\n@jax.jit\ndef f(x, n):\n    if x.sum() > 0:\n        return x * n\n    return x.sum()\n\nf(jnp.ones(3), 3)\n",
		// A tensor for flag is not what `is` asks for.
		"import tensorflow as tf\n\n@tf.function\ndef f(x, k):\n    if isinstance(k, int):\n        return x\n    return tf.stack([x, x])\n\nfor k in range(4):\n    f(tf.ones([2]), k)\n",
		// Two functions of one name: where the option belongs is not clear.
		"import jax, jax.numpy as jnp\n\ndef make():\n    @jax.jit\n    def f(x, n):\n        return x.reshape(n, -1)\n    return f\n\n@jax.jit\ndef f(x, n):\n    return x\n\nmake()(jnp.ones(6), 3)\n",
	} {
		if got := edited(t, text); got != text {
			t.Errorf("%s\nbecomes\n%s", text, got)
		}
	}
}

// Where edits go is read from the syntax: these programs are written over several lines, with comments and trailing commas. PyTorch 2.15
// and JAX
// 0.10 took what they become.
func TestProposedEditsInProgramsOfSeveralLines(t *testing.T) {
	for _, c := range []struct{ name, source, old, new string }{
		{"a wrapper with a trailing comma and a comment", `from functools import partial
import jax, jax.numpy as jnp

@partial(
    jax.jit,
    donate_argnums=(),  # none
)
def f(x, n):
    return x.reshape(n, -1)

f(jnp.ones(6), 3)
`, "donate_argnums=(),", `donate_argnums=(), static_argnames=("n",),`},
		{"a wrapper in brackets of its own", `import jax, jax.numpy as jnp

def f(x, n):
    return x.reshape(n, -1)

f = jax.jit((f))
f(jnp.ones(6), 3)
`, "jax.jit((f))", `jax.jit((f), static_argnames=("n",))`},
		{"a condition in brackets", `import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if (
            x.sum()
            > 0
        ):
            y = x + 1  # up
        else:
            y = (x if self.training else x) - 1
        return y

torch.export.export(Net(), (torch.rand(3),))
`, "if (\n            x.sum()\n            > 0\n        ):\n            y = x + 1  # up\n        else:\n            y = (x if self.training else x) - 1",
			"y = torch.cond(x.sum()\n            > 0, lambda: x + 1, lambda: (x if self.training else x) - 1, ())"},
		{"a view, which torch.cond takes as a copy alone", `import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y = x.movedim(0, 1)
        else:
            y = torch.swapaxes(x, 0, 1)
        return y

torch.export.export(Net(), (torch.rand(3, 4),))
`, "if x.sum() > 0:\n            y = x.movedim(0, 1)\n        else:\n            y = torch.swapaxes(x, 0, 1)",
			"y = torch.cond(x.sum() > 0, lambda: x.movedim(0, 1).clone(), lambda: torch.swapaxes(x, 0, 1).clone(), ())"},
		{"a check with a message", `import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, n):
        k = n.item()
        if (k + 1) > 9:
            raise ValueError(
                "too many"
            )
        return x * k

torch.export.export(Net(), (torch.rand(3), torch.tensor(2)))
`, "if (k + 1) > 9:\n            raise ValueError(\n                \"too many\"\n            )", "torch._check((k + 1) <= 9)"},
		{"a tensor of one class, a name of another", `import torch
from torch import nn

class Other:
    def __init__(self):
        self.count = torch.zeros(1)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = torch.zeros(
            1
        )

    def forward(self, x):
        self.count += 1
        return x + self.count

net = Net()
ep = torch.export.export(net, (torch.rand(3),))
ep.module()(torch.rand(3))
ep.module()(torch.rand(3))
`, "self.count = torch.zeros(\n            1\n        )", "self.register_buffer(\"count\", torch.zeros(\n            1\n        ))"},
	} {
		if got, want := edited(t, c.source), strings.Replace(c.source, c.old, c.new, 1); got != want {
			t.Errorf("%s: it becomes\n%s", c.name, got)
		}
	}
}
