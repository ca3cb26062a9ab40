package schema

import (
	"testing"

	"shapecheck/internal/onnx"
)

func TestVersionsAreInOrder(t *testing.T) {
	n := 0
	for name, list := range Versions() {
		for i, v := range list {
			if n++; i > 0 && v.Since <= list[i-1].Since || v.Since > Until {
				t.Errorf("%s: version %d is out of order", name, v.Since)
			}
		}
	}
	if n < 480 {
		t.Errorf("%d versions of operators", n)
	}
}

func TestRejects(t *testing.T) {
	for _, c := range []struct {
		op    string
		opset int64
		input int
		d     onnx.DType
		want  bool
	}{
		{"Sin", 21, 0, onnx.BFloat16, true},
		{"Sin", 22, 0, onnx.BFloat16, false}, // not known
		{"Add", 13, 1, onnx.Int8, true},
		{"Add", 14, 1, onnx.Int8, false},
		{"Max", 18, 7, onnx.Bool, true}, // any number of inputs
		{"ReduceMax", 19, 0, onnx.Bool, true},
		{"ReduceMax", 20, 0, onnx.Bool, false},
		{"ReduceMean", 18, 1, onnx.Int32, true},
		{"Identity", 18, 0, onnx.Complex64, false},
		{"RandomUniformLike", 21, 0, onnx.BFloat16, true},
		{"Sin", 18, 0, onnx.Undefined, false},
		{"NoSuchOperator", 18, 0, onnx.Bool, false},
	} {
		if got := Of(c.op, c.opset).Rejects(c.input, c.d); got != c.want {
			t.Errorf("%s of opset %d, input %d of %s: %v", c.op, c.opset, c.input, c.d, got)
		}
	}
}
