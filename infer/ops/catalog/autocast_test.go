package catalog

import (
	"testing"

	"shapecheck/infer/ops/torch"
)

// A policy under a name that no record has would never be applied.
func TestAutocastNamesAreCanonical(t *testing.T) {
	for _, name := range torch.AutocastNames() {
		if op, ok := Lookup(name); !ok || op.Names[0] != name {
			t.Errorf("%s is not the first name of a record", name)
		}
	}
}
