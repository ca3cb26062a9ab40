package schema_test

import (
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

func TestElementTypesOfResults(t *testing.T) {
	const f, h, i, b = onnx.Float, onnx.Float16, onnx.Int64, onnx.Bool
	for _, c := range []struct {
		op    string
		ins   []onnx.DType
		attrs []*onnx.Attr
		want  []onnx.DType
	}{
		{"Add", []onnx.DType{h, h}, nil, []onnx.DType{h}},
		{"Equal", []onnx.DType{f, f}, nil, []onnx.DType{b}},
		{"Where", []onnx.DType{b, h, h}, nil, []onnx.DType{h}},
		{"Shape", []onnx.DType{f}, nil, []onnx.DType{i}},
		{"TopK", []onnx.DType{f, i}, nil, []onnx.DType{f, i}},
		{"MaxPool", []onnx.DType{h}, nil, []onnx.DType{h, i}},
		{"Unique", []onnx.DType{f}, nil, []onnx.DType{f, i, i, i}},
		{"LSTM", []onnx.DType{f, f, f}, nil, []onnx.DType{f, f, f}},
		{"Dropout", []onnx.DType{h, f, b}, nil, []onnx.DType{h, b}},
		{"Cast", []onnx.DType{f}, []*onnx.Attr{onnx.IntAttr("to", int64(h))}, []onnx.DType{h}},
		{"CastLike", []onnx.DType{f, i}, nil, []onnx.DType{i}},
		{"Constant", nil, []*onnx.Attr{onnx.TensorAttr("value", onnx.NewInts(nil, 1))}, []onnx.DType{i}},
		{"Constant", nil, []*onnx.Attr{onnx.IntAttr("value_int", 1)}, []onnx.DType{i}},
		{"ConstantOfShape", []onnx.DType{i}, nil, []onnx.DType{f}},
		{"ConstantOfShape", []onnx.DType{i}, []*onnx.Attr{onnx.TensorAttr("value", onnx.NewInts(nil, 1))}, []onnx.DType{i}},
		{"EyeLike", []onnx.DType{h}, []*onnx.Attr{onnx.IntAttr("dtype", int64(i))}, []onnx.DType{i}},
		{"EyeLike", []onnx.DType{h}, nil, []onnx.DType{h}},
		{"RandomUniformLike", []onnx.DType{f}, nil, []onnx.DType{f}},
		{"RandomNormal", nil, nil, []onnx.DType{f}},
		{"SplitToSequence", []onnx.DType{h, i}, nil, []onnx.DType{h}},
		{"SequenceAt", []onnx.DType{h, i}, nil, []onnx.DType{h}},
		{"ConcatFromSequence", []onnx.DType{h}, nil, []onnx.DType{h}},
		{"SequenceConstruct", []onnx.DType{h, h}, nil, []onnx.DType{h}},
		{"SequenceLength", []onnx.DType{h}, nil, []onnx.DType{i}},
		{"SequenceEmpty", nil, []*onnx.Attr{onnx.IntAttr("dtype", int64(h))}, []onnx.DType{h}},
		{"QuantizeLinear", []onnx.DType{f, f, onnx.Int8}, nil, []onnx.DType{onnx.Int8}},
		{"DequantizeLinear", []onnx.DType{onnx.Int8, h, onnx.Int8}, nil, []onnx.DType{onnx.Undefined}},
		{"If", []onnx.DType{b}, nil, []onnx.DType{onnx.Undefined}},
		{"Scan", []onnx.DType{f}, nil, []onnx.DType{onnx.Undefined}},
	} {
		op := schema.Last("", c.op)
		for k, want := range c.want {
			if got := op.ResultDType(k, c.ins, &onnx.Node{Op: c.op, Attrs: c.attrs}); got != want {
				t.Errorf("%s of %v: result %d is %s, want %s", c.op, c.ins, k, got, want)
			}
		}
	}
}
