package aten_test

import (
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/lower/aten"
)

// TestEveryOperationHasARecord holds the table against that of the operations:
// those of torch that make tensors have a rule, or a reason why there is none.
func TestEveryOperationHasARecord(t *testing.T) {
	catalog.All(func(op *ops.Op) {
		name := op.Names[0]
		if op.Pure || !strings.HasPrefix(name, "torch.") {
			return
		}
		r, ok := aten.Lookup(name)
		switch {
		case !ok:
			t.Errorf("%s has no record: a rule or a reason is due", name)
		case (r.Lower == nil) == (r.None == ""):
			t.Errorf("%s needs a rule or a reason, and not both", name)
		}
	})
}
