package schema

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		op    string
		opset int64
		attrs []*onnx.Attr
		want  string
	}{
		{"Softmax", 13, []*onnx.Attr{onnx.IntAttr("axis", 2)}, ""},
		{"Softmax", 13, []*onnx.Attr{onnx.IntAttr("axes", 2)}, "the operator has no attribute axes"},
		{"Softmax", 13, []*onnx.Attr{onnx.FloatAttr("axis", 2)}, "attribute axis is of type FLOAT; expected INT"},
		{"Softmax", 13, []*onnx.Attr{onnx.IntAttr("axis", 2), onnx.IntAttr("axis", 2)}, "given twice"},
		{"Softmax", 13, []*onnx.Attr{{Name: "axis", Int: 2}}, ""}, // as the first IR versions have it
		{"Softmax", 13, []*onnx.Attr{{Name: "__note"}, {Name: "chainer_order"}}, ""},
		{"ReduceSum", 13, []*onnx.Attr{onnx.IntsAttr("axes", 2)}, "no attribute axes from version 13 on"},
		{"ReduceSum", 11, []*onnx.Attr{onnx.IntsAttr("axes", 2)}, ""},
		{"Shape", 13, []*onnx.Attr{onnx.IntAttr("start", 2)}, "no attribute start before version 15"},
		{"Concat", 13, nil, "the attribute axis is missing"},
		{"Conv", 11, []*onnx.Attr{onnx.IntAttr("group", 0)}, "attribute group is 0; it must be at least 1"},
		{"Conv", 11, []*onnx.Attr{onnx.IntsAttr("strides", 1, -1)}, "strides has -1 at position 1"},
		{"Conv", 11, []*onnx.Attr{onnx.StringAttr("auto_pad", "SAME")},
			"auto_pad is \"SAME\"; expected one of NOTSET, SAME_UPPER, SAME_LOWER, VALID"},
		{"Conv", 11, []*onnx.Attr{onnx.StringAttr("auto_pad", "")}, ""},
		{"Cast", 13, []*onnx.Attr{onnx.IntAttr("to", 99)}, "to is 99, which is no element type"},
		{"Cast", 13, []*onnx.Attr{onnx.IntAttr("to", 0)}, "to is 0, which is no element type"},
		{"EyeLike", 9, []*onnx.Attr{onnx.IntAttr("dtype", 0)}, ""},
		{"If", 13, []*onnx.Attr{onnx.GraphAttr("then_branch", nil), onnx.GraphAttr("else_branch", nil)}, "then_branch has no value"},
		{"Softmax", 13, []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "a")}, ""},
		{"Softmax", 13, []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrFloat, "a")}, "attribute axis is of type FLOAT"},
		{"Softmax", 13, []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "f")}, "(it is the function's attribute f)"},
		{"Softmax", 13, []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "nothing")}, ""},
		{"Concat", 13, []*onnx.Attr{onnx.RefAttr("axis", onnx.AttrInt, "nothing")}, "the attribute axis is missing"},
	} {
		fn := []*onnx.Attr{onnx.IntAttr("a", 2), onnx.FloatAttr("f", 1)}
		_, err := Lookup("", c.op, c.opset).Decode(&onnx.Node{Op: c.op, Attrs: c.attrs}, fn)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %d: %v, want %q", c.op, c.opset, err, c.want)
		}
	}
}

func TestAttrs(t *testing.T) {
	decode := func(op string, opset int64, attrs ...*onnx.Attr) Attrs {
		a, err := Lookup("", op, opset).Decode(&onnx.Node{Op: op, Attrs: attrs}, []*onnx.Attr{onnx.IntAttr("of", -3)})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := decode("Softmax", 12)
	if a.Int("axis") != 1 || !a.Has("axis") || a.Given("axis") {
		t.Error("the default of axis before opset 13 is 1")
	}
	if a = decode("Softmax", 13); a.Int("axis") != -1 {
		t.Error("the default of axis from opset 13 on is -1")
	}
	if a = decode("Softmax", 13, onnx.RefAttr("axis", onnx.AttrInt, "of")); a.Int("axis") != -3 || !a.Given("axis") {
		t.Error("a reference is the function's attribute")
	}
	if a = decode("ReduceSum", 13); a.Has("axes") || a.Ints("axes") != nil {
		t.Error("ReduceSum 13 has no attribute axes")
	}
	if a = decode("TopK", 10); a.Has("largest") || !a.Bool("largest") || a.Given("largest") {
		t.Error("TopK 10 gives the largest elements, and has no attribute that says so")
	}
	if a = decode("LRN", 13, onnx.IntAttr("size", 3)); a.Float("alpha") != 1e-4 || a.Float("beta") != 0.75 || a.Int("size") != 3 {
		t.Error("LRN")
	}
	if a = decode("Resize", 19); a.String("keep_aspect_ratio_policy") != "stretch" || a.Float("cubic_coeff_a") != -0.75 ||
		a.Bool("antialias") {
		t.Error("Resize")
	}
	a = decode("Conv", 11, onnx.IntsAttr("pads", 1, 2))
	if list, err := a.IntsN("strides", 2); err != nil || !slices.Equal(list, []int64{1, 1}) || a.Has("strides") {
		t.Errorf("strides %v %v", list, err)
	}
	if list, err := a.IntsN("pads", 2); err != nil || !slices.Equal(list, []int64{1, 2}) {
		t.Errorf("pads %v %v", list, err)
	}
	if _, err := a.IntsN("pads", 4); err == nil {
		t.Error("two pads where four are expected")
	}
	if list, err := decode("MaxPool", 1, onnx.IntsAttr("kernel_shape", 1, 2)).IntsN("dilations", 2); err != nil ||
		!slices.Equal(list, []int64{1, 1}) {
		t.Errorf("dilations %v %v", list, err) // there are none before version 10
	}
	if x := decode("ConstantOfShape", 9).Tensor("value"); x == nil || x.DType != onnx.Float {
		t.Error("the default of ConstantOfShape")
	}
	for what, f := range map[string]func(){
		"a name that no version has": func() { a.Int("axis") },
		"another type":               func() { a.Int("mode") },
		"Has of an unknown name":     func() { a.Has("axis") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s passes", what)
				}
			}()
			f()
		}()
	}
}
