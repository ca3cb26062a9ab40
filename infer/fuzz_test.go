package infer_test

// This file runs hostile programs with the limits of the program: whatever a file
// says, a run ends soon, in bounded memory, and never in an internal error.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
)

func FuzzRun(f *testing.F) {
	paths, err := filepath.Glob("../testdata/infer/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if strings.HasSuffix(file.Name, ".py") {
				f.Add(string(file.Data), "", "x:f32[B,4]")
			}
		}
	}
	for _, c := range hostile {
		f.Add(c.text, c.entry, c.arg)
	}
	f.Fuzz(func(t *testing.T, text, entry, arg string) { runHostile(t, text, entry, arg) })
}

// runHostile runs a program whose neighbours import each other.
func runHostile(t *testing.T, text, entry, arg string) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"prog.py": text, "other.py": "import prog\nfrom prog import *\nx = prog\n", "pkg/__init__.py": "from . import a\n",
		"pkg/a.py": "from . import b\nfrom .b import *\n", "pkg/b.py": "from .a import *\nfrom ..other import x\n",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var args []string
	if arg != "" {
		args = []string{arg}
	}
	checkLimited(t, infer.Config{File: filepath.Join(dir, "prog.py"), Entry: entry, Args: args, MaxMemory: infer.DefaultMaxMemory,
		Timeout: limitsTimeout})
}

// TestHostilePrograms runs the programs that the fuzzer starts with.
func TestHostilePrograms(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			runHostile(t, c.text, c.entry, c.arg)
		})
	}
}
