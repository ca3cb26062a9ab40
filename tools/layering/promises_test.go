package layering

// This file holds that docs/safety.md names tests that there are, and what it says of the program's imports.

import (
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesNameTheirTests looks for each test that docs/safety.md names.
func TestPromisesNameTheirTests(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/safety.md"))
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasSuffix(name, "_test.go") {
				declared[d.Name.Name] = true
			}
		}
	})
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)`").FindAllStringSubmatch(string(page), -1)
	if len(named) < 30 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, m := range named {
		if !declared[m[1]] {
			t.Errorf("docs/safety.md names %s, which is no test", m[1])
		}
	}
}

// TestOnlyGitIsStarted checks that one package of the program can start others.
func TestOnlyGitIsStarted(t *testing.T) {
	module := modulePath(t)
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/cmd/shapecheck").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	starts := 0
	for line := range strings.Lines(string(out)) {
		list := strings.Fields(line)
		if !strings.HasPrefix(list[0], module+"/") {
			continue
		}
		for _, imp := range list[1:] {
			if imp != "os/exec" {
				continue
			}
			starts++
			if list[0] != module+"/internal/gittree" {
				t.Errorf("%s imports os/exec: internal/gittree alone starts another program", list[0])
			}
		}
	}
	if starts == 0 {
		t.Error("no package imports os/exec")
	}
}
