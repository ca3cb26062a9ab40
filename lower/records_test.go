package lower_test

import (
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/lower"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/inline"
)

// TestRecordedCallsAgreeWithThemselves lowers recorded calls that PyTorch took: what a
// model says of its values must follow from its nodes, and the nodes must take what
// they get in that version of the operators.
func TestRecordedCallsAgreeWithThemselves(t *testing.T) {
	var records []*opstest.Record
	for _, name := range [...]string{"einsum", "extra", "fuzz", "fuzzed", "views"} {
		list, err := opstest.ReadFile("../infer/ops/torch/testdata/opdb/" + name + ".jsonl.gz")
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, list...)
	}
	lowered := 0
	for i, r := range records {
		if r.Error != "" || r.Ctor != nil || r.Variant == "module" || r.Variant == "expression" {
			continue
		}
		mode := opstest.Concrete
		if i%2 == 1 {
			mode = opstest.Free
		}
		res := opstest.Run(r, mode)
		if s, ok := res.Value.(*value.SymInt); res.Skip != "" || res.NoOp || res.Err != nil || res.Value == nil || ok && s.Source != nil {
			continue
		}
		g := res.Th.Graph().Graph()
		g.Output = ops.Operand(res.Th.Pool(), res.Value)
		m, err := lower.Lower(lower.Input{Graph: g, Pool: res.Th.Pool(), Name: "op", Opset: lower.MinOpset +
			int64(i%(lower.MaxOpset-lower.MinOpset+1))})
		if err != nil {
			continue
		}
		lowered++
		if i%3 == 0 {
			if _, err := inline.Model(t.Context(), m); err != nil {
				t.Errorf("%s: %v", r.Call, err)
			}
		}
		wellFormed(t, m)
		rep, err := inference.Compare(m)
		if err != nil || !rep.OK() {
			t.Errorf("%s %s %s: %v %s", r.Call, r.Args, r.Kwargs, err, strings.SplitN(rep.String(), "\n", 2)[0])
		}
	}
	if lowered < 2000 {
		t.Errorf("%d of %d calls were lowered", lowered, len(records))
	}
}
