package layering

// This file states the folders at the root of the repository.

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// rooms lists the folders of the root that have Go packages, with what each is for.
var rooms = map[string]string{
	"grammar":  "the grammar of Python and its tables",
	"parser":   "text to tree",
	"symshape": "sizes",
	"infer":    "the abstract interpreter and the library functions that it knows",
	"trace":    "what tracing keeps and loses",
	"contract": "the conditions of a run as the contract of its entry",
	"project":  "what a project says beside its code: configuration, environment, notebooks, comments",
	"discover": "what to check where nobody said",
	"suite":    "test suites: what pytest would collect, each case run",
	"check":    "sessions: check, fix, project, export",
	"onnx":     "models as files",
	"lower":    "recorded runs to models",
	"codegen":  "models to programs of the machine",
	"runtime":  "the machine",
	"present":  "reports, the language server, the command line",
	"cmd":      "the program",
	"internal": "the base: no package of it imports one of another folder",
	"tools":    "generators, comparisons, benches and what tests share",
}

// TestFoldersOfTheRoot checks that each package is in a known folder, that internal is the base of
// all others, and that no package of the product imports a tool.
func TestFoldersOfTheRoot(t *testing.T) {
	prefix := modulePath(t) + "/"
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", prefix+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	room := func(path string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(path, prefix), "/")
		return name
	}
	found := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := room(p.ImportPath)
		found[from] = true
		if rooms[from] == "" {
			t.Errorf("%s is in no folder of the list", p.ImportPath)
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, prefix) {
				continue
			}
			switch to := room(imp); {
			case from == "internal" && to != "internal":
				t.Errorf("%s imports %s: internal is the base of all", p.ImportPath, imp)
			case to == "tools" && from != "tools" && !strings.HasSuffix(p.ImportPath, "test"):
				t.Errorf("%s imports %s: tools are for tools and tests", p.ImportPath, imp)
			}
		}
	}
	for name := range rooms {
		if !found[name] {
			t.Errorf("%s has no package", name)
		}
	}
}
