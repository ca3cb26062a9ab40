package infer_test

import (
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// lostPackage parses a text that is not known, in functions that call each other in every branch.
const lostPackage = `import os
import torch


class Node:
    def __init__(self, parts):
        self.parts = parts


def parse(text, depth=0):
    left, right = text.split(":"), text.split("->")
    if left[0] == "a":
        return Node([parse(t, depth + 1) for t in left])
    if left[0] == "b":
        return Node([parse(t, depth + 2) for t in right])
    if right[0] == "c":
        parts = []
        for t in right:
            parts.append(parse(t, depth + 1))
        return Node(parts)
    return Node(left)


def walk(tree, notes):
    out = []
    for p in tree.parts:
        if isinstance(p, Node) and p.parts:
            out.extend(walk(p, notes))
        elif p == "d":
            out.append(walk(Node([p, p]), notes))
        notes.append(p)
    return out


def apply(x, notes):
    tree = parse(os.environ.get("NOTATION", "") + os.environ["MORE"])
    return x.reshape([int(n) for n in walk(tree, notes)])


def twice(x):
    return torch.cat([x, x], 1)
`

// TestCallsInWhichTheAnalysisIsLostAreTakenBack calls a package of the environment that computes much from what is not known: its result is
// unknown, and so is what it was given to write to. The same code in the project is followed.
func TestCallsInWhichTheAnalysisIsLostAreTakenBack(t *testing.T) {
	const site = ".venv/lib/python3.12/site-packages/"
	files := map[string]string{
		"setup.py": "", ".venv/pyvenv.cfg": "", site + "notation/__init__.py": lostPackage,
		"net.py": "import notation\n\n\ndef f(x):\n    notes = []\n    y = notation.apply(x, notes)\n    return y, len(notes), notation.twice(x)\n\n\n" +
			"def g(x):\n    return notation.twice(notation.twice(x))\n",
	}
	for entry, want := range map[string]string{"f": "(?, int=n0, f32[B,6])", "g": "f32[B,12]"} {
		res, err := infer.Run(infer.Config{File: "net.py", Entry: entry, Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Discover: true},
			FS: reads.NewMemory(files)})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Output.String(); got != want {
			t.Errorf("%s: got %s, want %s", entry, got, want)
		}
		for _, d := range res.Diagnostics {
			t.Errorf("%s: %s: %s", entry, d.Code, d.Msg)
		}
		said := false
		for _, c := range res.Unknown {
			p := res.Files.Position(c.At.Start)
			said = said || p.File != nil && p.File.Name == "net.py" && strings.Contains(c.Reason, "apply() of an installed package")
		}
		if said != (entry == "f") {
			t.Errorf("%s: the causes %v", entry, res.Unknown)
		}
	}
}
