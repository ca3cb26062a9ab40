package catalog

import (
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops"
)

// TestFunctionsHaveRecords finds lines of functions.txt for names that no record has. With SHAPECHECK_NAMES it writes the names of the
// records to that file, which functions.py reads.
func TestFunctionsHaveRecords(t *testing.T) {
	var names []string
	All(func(op *ops.Op) { names = append(names, op.Names...) })
	for name := range functionLines() {
		if !slices.Contains(names, name) {
			t.Errorf("functions.txt has %s, the records do not", name)
		}
		if o := ObjectOf(name); o.Module == "" || o.Qualname == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if file := os.Getenv("SHAPECHECK_NAMES"); file != "" {
		slices.Sort(names)
		if err := os.WriteFile(file, []byte(strings.Join(slices.Compact(names), "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
