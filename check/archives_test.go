package check

// This file reads the cases of testdata's archives.

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// archived are the cases of all archives of testdata that say what to run.
func archived(t *testing.T, visit func(name string, run []string, files map[string]string)) {
	t.Helper()
	paths, err := filepath.Glob("../testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		head, name := words(string(ar.Comment)), filepath.Base(p)
		run, files := head, map[string]string{}
		end := func() {
			if len(run) > 0 && len(files) > 0 {
				visit(name, run, files)
			}
		}
		for _, f := range ar.Files {
			if title, ok := strings.CutPrefix(f.Name, "case "); ok {
				end()
				name, files = filepath.Base(p)+"/"+title, map[string]string{}
				if run = words(string(f.Data)); len(run) == 0 {
					run = head
				}
				continue
			}
			if !strings.HasPrefix(f.Name, "want/") {
				files[f.Name] = string(f.Data)
			}
		}
		end()
	}
}

// words are those of the run: lines of a comment.
func words(comment string) []string {
	var out []string
	for _, l := range strings.Split(comment, "\n") {
		rest, ok := strings.CutPrefix(l, "run:")
		for i, part := range strings.Split(rest, "'") {
			if !ok {
				break
			}
			if i%2 == 1 {
				out = append(out, part)
			} else {
				out = append(out, strings.Fields(part)...)
			}
		}
	}
	return out
}
