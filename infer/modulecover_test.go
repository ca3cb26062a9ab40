package infer

// This file holds the classes of torch.nn against the list that makes them known and
// against what tests them.

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const nnModules = "lib/py/torch/nn/modules"

// internalClasses are public names in the files of torch.nn that torch.nn does not have.
var internalClasses = []string{"LazyModuleMixin", "NonDynamicallyQuantizableLinear"}

// listedClasses reads the families of modules/__init__.py: the classes by their file.
func listedClasses(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(nnModules, "__init__.py"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "_FAMILIES = {")
	table, _, _ = strings.Cut(table, "\n}")
	out := map[string][]string{}
	for _, m := range regexp.MustCompile(`'(\w+)': (\([^)]*\)|'[^']*')`).FindAllStringSubmatch(table, -1) {
		out[m[1]] = strings.Fields(strings.NewReplacer("(", " ", ")", " ", "'", " ").Replace(m[2]))
	}
	if len(out) < 20 {
		t.Fatalf("only %d families were read", len(out))
	}
	return out
}

// TestEveryModuleIsListed requires that a class of torch.nn stands in the list of its file's
// classes: others cannot be imported.
func TestEveryModuleIsListed(t *testing.T) {
	listed := listedClasses(t)
	files, err := filepath.Glob(nnModules + "/*.py")
	if err != nil {
		t.Fatal(err)
	}
	class := regexp.MustCompile(`(?m)^class ([A-Z]\w*)[(:]`)
	found := 0
	for _, path := range files {
		family := strings.TrimSuffix(filepath.Base(path), ".py")
		if family == "__init__" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range class.FindAllStringSubmatch(string(text), -1) {
			if found++; !slices.Contains(listed[family], m[1]) && !slices.Contains(internalClasses, m[1]) {
				t.Errorf("class %s of %s does not stand in _FAMILIES of %s/__init__.py", m[1], path, nnModules)
			}
		}
	}
	if found < 140 {
		t.Errorf("only %d classes were found", found)
	}
}

// TestEveryModuleIsTested requires of each class of torch.nn a recorded module, or a program
// of the archives that makes one.
func TestEveryModuleIsTested(t *testing.T) {
	tested := map[string]bool{}
	name := regexp.MustCompile(`\bnn\.(?:modules\.\w+\.)?([A-Z]\w*)`)
	note := func(text string) {
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			tested[m[1]] = true
		}
	}
	for _, path := range [...]string{"testdata/modules.jsonl.gz", filepath.Join(opdb215, "new_modules.jsonl.gz")} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		for lines.Buffer(nil, 1<<24); lines.Scan(); {
			note(lines.Text())
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	archives, err := filepath.Glob("../testdata/infer/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range archives {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		note(string(text))
	}
	for family, classes := range listedClasses(t) {
		for _, c := range classes {
			if !tested[c] {
				t.Errorf("%s of %s/%s.py has no recorded module and no case in testdata/infer", c, nnModules, family)
			}
		}
	}
}
