package schema

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestRecords(t *testing.T) {
	all := Ops() // reads every record
	if len(all) != 659+52 {
		t.Errorf("%d records", len(all))
	}
	newestSeen := map[string]int64{}
	for i, op := range all {
		where := func() string { return strings.TrimSpace(op.Domain + " " + op.Name) }
		if i > 0 && all[i-1].Domain == op.Domain && all[i-1].Name == op.Name && all[i-1].Since >= op.Since {
			t.Errorf("%s: version %d is there twice", where(), op.Since)
		}
		if op.Since > NewestOf(op.Domain) {
			t.Errorf("%s: version %d is newer than the domain's %d", where(), op.Since, NewestOf(op.Domain))
		}
		newestSeen[op.Domain] = max(newestSeen[op.Domain], op.Since)
		if !slices.IsSortedFunc(op.Attrs, func(a, b AttrDef) int { return strings.Compare(a.Name, b.Name) }) || len(op.Attrs) > 64 {
			t.Errorf("%s: the attributes are out of order, or too many", where())
		}
		for _, a := range op.Attrs {
			if a.Default == nil {
				continue
			}
			if err := a.check(a.Default); err != nil {
				t.Errorf("%s: the default of %s: %v", where(), a.Name, err)
			}
		}
		for _, list := range [][]Param{op.Inputs, op.Outputs} {
			for j, p := range list {
				if p.Types == nil || p.Name == "" || p.Variadic && j < len(list)-1 {
					t.Errorf("%s: parameter %d is %+v", where(), j, p)
				}
			}
		}
	}
	for domain, v := range newestSeen {
		if domain != Chainer && v != NewestOf(domain) {
			t.Errorf("domain %q has version %d, its records end at %d", domain, NewestOf(domain), v)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		domain, name string
		opset, want  int64
	}{
		{"", "Softmax", 7, 1}, {"", "Softmax", 12, 11}, {"ai.onnx", "Softmax", 13, 13}, {"", "Softmax", 28, 13},
		{"", "Gelu", 19, 0}, {"", "Gelu", 20, 20}, {"", "Nothing", 20, 0}, {"ai.onnx.ml", "LabelEncoder", 3, 2}, {"nobody", "Add", 14, 0},
		{Chainer, "ChainerLinear", 9, 1}, {"", "Upsample", 21, 10},
	} {
		got := int64(0)
		op := Lookup(c.domain, c.name, c.opset)
		if op != nil {
			got = op.Since
		}
		if got != c.want {
			t.Errorf("%s %s at %d: version %d, want %d", c.domain, c.name, c.opset, got, c.want)
		}
	}
	if op := Lookup("", "Upsample", 10); !op.Deprecated {
		t.Error("Upsample 10 is not deprecated")
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		op    string
		opset int64
		input int
		d     onnx.DType
		want  bool
	}{
		{"Sin", 21, 0, onnx.BFloat16, true},
		{"Sin", 22, 0, onnx.BFloat16, false},
		{"Add", 13, 1, onnx.Int8, true},
		{"Add", 14, 1, onnx.Int8, false},
		{"Max", 18, 7, onnx.Bool, true}, // any number of inputs
		{"ReduceMax", 19, 0, onnx.Bool, true},
		{"ReduceMax", 20, 0, onnx.Bool, false},
		{"ReduceMean", 18, 1, onnx.Int32, true},
		{"Identity", 18, 0, onnx.Complex64, false},
		{"RandomUniformLike", 21, 0, onnx.BFloat16, true},
		{"Cast", 24, 0, onnx.Int2, true},
		{"Cast", 25, 0, onnx.Int2, false},
		{"Cast", 28, 0, onnx.Float6E2M3, false},
		{"Sin", 18, 0, onnx.Undefined, false},
		{"NoSuchOperator", 18, 0, onnx.Bool, false},
	} {
		if got := Lookup("", c.op, c.opset).Rejects(c.input, c.d); got != c.want {
			t.Errorf("%s of opset %d, input %d of %s: %v", c.op, c.opset, c.input, c.d, got)
		}
	}
	f32 := onnx.TensorOf(onnx.Float)
	seq := &onnx.Type{Kind: onnx.SequenceType, Of: f32}
	optional := &onnx.Type{Kind: onnx.OptionalType, Of: f32}
	table := &onnx.Type{Kind: onnx.MapType, Key: onnx.Int64, Of: f32}
	for _, c := range []struct {
		domain, op string
		t          *onnx.Type
		want       bool
	}{
		{"", "Relu", f32, true}, {"", "Relu", seq, false}, {"", "Relu", nil, true}, {"", "Relu", &onnx.Type{Kind: onnx.TensorType}, true},
		{"", "SequenceLength", seq, true}, {"", "SequenceLength", f32, false}, {"", "Identity", optional, true}, {"", "Identity", seq, true},
		{"", "OptionalHasElement", &onnx.Type{Kind: onnx.OptionalType, Of: seq}, true},
		{"", "OptionalHasElement", &onnx.Type{Kind: onnx.OptionalType, Of: table}, false},
		{"ai.onnx.ml", "CastMap", table, true}, {"ai.onnx.ml", "CastMap", f32, false},
	} {
		if got := Last(c.domain, c.op).Input(0).Types.Accepts(c.t); got != c.want {
			t.Errorf("%s of %+v: %v", c.op, c.t, got)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		op        string
		opset     int64
		ins, outs []string
		want      string
	}{
		{"Add", 14, []string{"a", "b"}, []string{"y"}, ""},
		{"Add", 14, []string{"a"}, []string{"y"}, "takes at least 2 inputs"},
		{"Add", 14, []string{"a", ""}, []string{"y"}, "input 1 (B) is missing"},
		{"Add", 14, []string{"a", "b", "c"}, []string{"y"}, "takes at most 2 inputs"},
		{"Add", 14, []string{"a", "b"}, nil, "has at least 1 results"},
		{"Clip", 13, []string{"x", "", "hi"}, []string{"y"}, ""},
		{"Clip", 13, []string{"x", "", "hi", ""}, []string{"y"}, ""},
		{"Loop", 13, []string{"", ""}, []string{"y"}, ""},
		{"Loop", 13, []string{""}, []string{"y"}, "at least 2"},
		{"BatchNormalization", 9, slices.Repeat([]string{"x"}, 5), []string{"y", "a", "b"}, "has [1 5] results"},
		{"BatchNormalization", 15, slices.Repeat([]string{"x"}, 5), []string{"y", "a", "b"}, ""},
		{"Concat", 13, slices.Repeat([]string{"x"}, 70), []string{"y"}, ""},
	} {
		err := Lookup("", c.op, c.opset).CheckCounts(&onnx.Node{Op: c.op, Inputs: c.ins, Outputs: c.outs})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v -> %v: %v, want %q", c.op, c.ins, c.outs, err, c.want)
		}
	}
}
