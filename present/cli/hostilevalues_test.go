package cli

// This file runs programs that put values into themselves, share them without end, or nest them
// deep, and use them in every way: whatever they do, the process lives and says little.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const hostileHead = `import torch, numpy as np, copy, pickle, json, itertools, functools, collections, operator, typing, dataclasses, heapq, pprint, textwrap
from torch import nn

def f(*a, **k):
    return a

L = nn.Linear(2, 2)

def forward(T: "f32[3,4]"):
    A = np.zeros((3, 4))
    y = z = None
    out = []
`

// usesPerProgram is how many uses one program has; a use that takes long hides those after it.
const usesPerProgram = 12

// maxHostileOutput is how many bytes are printed of one program at most: the text of a value has a limit.
const maxHostileOutput = 8 << 20

// TestHostileValues runs a part of all combinations, in which each value and each use occurs;
// SHAPECHECK_HOSTILE=all runs all of them.
func TestHostileValues(t *testing.T) {
	ar, err := txtar.ParseFile("../../testdata/hostile/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var values, uses []txtar.File
	for _, f := range ar.Files {
		switch kind, name, _ := strings.Cut(f.Name, "/"); kind {
		case "values":
			values = append(values, txtar.File{Name: name, Data: f.Data})
		case "expressions":
			for line := range strings.Lines(string(f.Data)) {
				uses = append(uses, txtar.File{Data: []byte("y = " + line)})
			}
		default:
			uses = append(uses, f)
		}
	}
	outputs := [][]string{nil, {"--format", "json"}, {"--types"}, {"--summary"}, {"--format", "html"}, {"--format", "sarif"}}
	parts := (len(uses) + usesPerProgram - 1) / usesPerProgram
	for i, v := range values {
		for part := range parts {
			if os.Getenv("SHAPECHECK_HOSTILE") != "all" && part != i%parts {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", v.Name, part), func(t *testing.T) {
				list := uses[part*usesPerProgram : min((part+1)*usesPerProgram, len(uses))]
				file := filepath.Join(t.TempDir(), "prog.py")
				if err := os.WriteFile(file, []byte(hostileProgram(v, list)), 0o666); err != nil {
					t.Fatal(err)
				}
				args := []string{file, "--entry", "forward", "--arg", "T:f32[3,4]", "--timeout", "200ms", "--no-cache"}
				code, stdout, stderr := run(append(args, outputs[(i+part)%len(outputs)]...)...)
				if code < 0 || code > 2 || strings.Contains(stdout+stderr, "SC999") {
					t.Errorf("exit %d: %.2000s%.2000s", code, stdout, stderr)
				}
				if len(stdout) > maxHostileOutput {
					t.Errorf("%d bytes are printed", len(stdout))
				}
			})
		}
	}
}

// hostileProgram makes a value and uses it in some ways. What a use raises is caught.
func hostileProgram(value txtar.File, uses []txtar.File) string {
	var b strings.Builder
	b.WriteString(hostileHead)
	indent := func(text []byte, by string) {
		for line := range strings.Lines(string(text)) {
			b.WriteString(by + line)
		}
	}
	indent(value.Data, "    ")
	for _, u := range uses {
		b.WriteString("    try:\n")
		indent(u.Data, "        ")
		b.WriteString("        out.append(y)\n    except Exception as e:\n        out.append(str(e))\n")
	}
	b.WriteString("    return out, x\n")
	return b.String()
}
