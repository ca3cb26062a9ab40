package cli

// This file tests what --fix and --diff do to shape comments.

import (
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

const commented = `import torch.nn as nn

fc = nn.Linear(8, 6)


def forward(x):
    B, T, C = x.shape
    y = fc(x)  # (B, T, 7) the scores
    z = y.flatten(1)
    return z.sum()  # the loss
`

func TestFixCorrectsShapeComments(t *testing.T) {
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), commented)
	if code, stdout, stderr := run(name, "--arg", "x:f32[N,L,8]", "--fix"); code != check.ExitClean {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if got, want := readFile(t, name), strings.Replace(commented, "T, 7", "T, 6", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
}

func TestFixInsertsShapeCommentsWhenAsked(t *testing.T) {
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), commented)
	args := []string{name, "--arg", "x:f32[N,L,8]", "--fix", "--fix-comments=insert"}
	if code, stdout, stderr := run(args...); code != check.ExitClean {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	want := strings.NewReplacer("T, 7", "T, 6", "flatten(1)", "flatten(1)  # (B, 6*T)").Replace(commented)
	got := readFile(t, name)
	if got != want {
		t.Errorf("the file is\n%s", got)
	}
	if _, _, stderr := run(args...); readFile(t, name) != got {
		t.Errorf("a second run changes the file\n%s", stderr)
	}
	if code, _, stderr := run(name, "--arg", "x:f32[N,L,8]", "--fix-comments=insert"); code != check.ExitUsage ||
		!strings.Contains(stderr, "--fix-comments goes with") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// A size has the name of a variable of the program that has it, else that of an annotation or a comment; a variable that a comment
// has bound as its own name is none.
func TestInsertedCommentsNameVariablesFirst(t *testing.T) {
	for source, want := range map[string]string{
		"import torch\n\n\ndef f(x):\n    b, l, _ = x.shape\n    y = x * 2  # HERE\n    k = b * l\n    z = y.view(k, 8)  # HERE\n    return z.sum()\n": "shape: (b, l, 8)|shape: (k, 8)",
		"import torch\n\n\ndef f(x):  # x: N L 8\n    y = x * 2  # rows cols 8\n    w = y.sum(2)  # HERE\n    rows = 3\n    return w.sum(), rows\n":    "(N, L)",
	} {
		name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), strings.ReplaceAll(source, "  # HERE", ""))
		if code, stdout, stderr := run(name, "--entry", "f", "--arg", "x:f32[N,L,8]", "--fix", "--fix-comments=insert"); code != check.ExitClean {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		for _, comment := range strings.Split(want, "|") {
			source = strings.Replace(source, "# HERE", "# "+comment, 1)
		}
		if got := readFile(t, name); got != source {
			t.Errorf("the file is\n%s\nwant\n%s", got, source)
		}
	}
}
