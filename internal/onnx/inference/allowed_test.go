package inference

import (
	"strings"
	"testing"

	"shapecheck/internal/onnx"
)

func TestElementTypesAreThoseOfTheVersion(t *testing.T) {
	table := opTable()
	for name, list := range allowances() {
		if table[opKey{"", name}] == nil {
			t.Errorf("types.txt has %s, which is no operator", name)
		}
		for i, a := range list {
			if i > 0 && a.since <= list[i-1].since || a.since > typesUntil {
				t.Errorf("%s: version %d is out of order", name, a.since)
			}
		}
	}
	for _, c := range []struct {
		name, want string
		opset      int64
		elem       onnx.DType
		node       *onnx.Node
	}{
		{"ints in an old Add", "", 8, onnx.Int64, node("Add x x -> y")},
		{"small ints in an old Add", `node "n_Add" (Add), value "x": element type i8; in opset 13 the operator takes `, 13, onnx.Int8, node("Add x x -> y")},
		{"small ints in a new Add", "", 14, onnx.Int8, node("Add x x -> y")},
		{"bool in MatMul", "element type bool", 17, onnx.Bool, node("MatMul x x -> y")},
		{"ints in Relu", "element type i64", 13, onnx.Int64, node("Relu x -> y")},
		{"more is not known of later versions", "", 21, onnx.Int64, node("Relu x -> y")},
		{"any type", "", 9, onnx.String, node("Identity x -> y")},
		{"all inputs of Max", `value "x"`, 13, onnx.Bool, node("Max x x x -> y")},
	} {
		m := model([]*onnx.ValueInfo{input("x", c.elem, "2", "2")}, nil, c.node)
		m.Opsets[0].Version = c.opset
		res := infer(t, m)
		got := ""
		for _, e := range res.Errors {
			got += e.Error()
		}
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
