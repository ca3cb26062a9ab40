package infer_test

// This file holds hostile programs against the interpreter: whatever a file
// says, a run ends soon, in bounded memory, and never in an internal error.

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// The limits of one run. A run that does more than fuzzWork with expressions of
// sizes hangs there without spending its steps.
const (
	fuzzSteps = 4_000
	fuzzWork  = 20_000_000
	fuzzBytes = 1 << 30
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
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var args []string
	if arg != "" {
		args = []string{arg}
	}
	res, err := infer.Run(infer.Config{File: filepath.Join(dir, "prog.py"), Entry: entry, Args: args, MaxSteps: fuzzSteps, MaxDepth: 100})
	runtime.ReadMemStats(&after)
	if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > fuzzBytes {
		t.Errorf("the run holds %d MB", n>>20)
	}
	var usage *infer.UsageError
	if err != nil {
		if !errors.As(err, &usage) {
			t.Fatal(err)
		}
		return
	}
	if n := res.Pool.Work(); n > fuzzWork {
		t.Errorf("the run did too much with expressions of sizes: %d", n)
	}
	for _, d := range res.Diagnostics {
		if d.Code == diag.InternalError {
			t.Errorf("%s\n%s", d.Msg, strings.Join(d.Notes, "\n"))
		}
	}
	if err := graph.Verify(res.Graph); err != nil {
		t.Errorf("the typed graph: %v", err)
	}
}

// TestHostilePrograms runs the programs that the fuzzer starts with.
func TestHostilePrograms(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			runHostile(t, c.text, c.entry, c.arg)
		})
	}
}
