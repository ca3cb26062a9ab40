package inference

import (
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

func TestSessionAppliesNodesOneByOne(t *testing.T) {
	p := symshape.NewPool()
	n, h := p.Declare("N", 1, symshape.PosInf), p.Declare("H", 1, symshape.PosInf)
	s := NewSession(p)
	x := s.ValueOf(&Type{Kind: onnx.TensorType, Elem: onnx.Float, Ranked: true, Dims: []*symshape.Expr{n, p.Const(3), h, nil}}, nil)
	one := func(text string, version int64, ins []*Value, attrs ...*onnx.Attr) *Value {
		t.Helper()
		outs, errs := s.Apply(node(text, attrs...), version, ins)
		if len(errs) > 0 || len(outs) != 1 {
			t.Fatalf("%s: %v", text, errs)
		}
		return outs[0]
	}
	// What Shape gave is followed to Reshape.
	shape := one("Shape x -> s", 28, []*Value{x})
	if e := shape.Elements(); len(e) != 4 || e[0] != n || e[2] != h {
		t.Errorf("Shape gives %v", e)
	}
	rest, err := s.Constant(onnx.NewInts(nil, -1))
	if err != nil {
		t.Fatal(err)
	}
	start, end := one("Constant -> c", 28, nil, onnx.IntsAttr("value_ints", 0)), one("Constant -> c", 28, nil, onnx.IntsAttr("value_ints", 1))
	head := one("Slice s a b -> h", 28, []*Value{shape, start, end})
	to := one("Concat h r -> t", 28, []*Value{head, rest}, onnx.IntAttr("axis", 0))
	y := one("Reshape x t -> y", 28, []*Value{x, to})
	if got := y.Type.String(); got != "f32[N,3*H*unk0]" {
		t.Errorf("Reshape gives %s", got)
	}
	// The version decides.
	mask := func(version int64) onnx.DType {
		outs, _ := s.Apply(node("Dropout x -> y m"), version, []*Value{x})
		return outs[1].Elem
	}
	if mask(7) != onnx.Float || mask(13) != onnx.Bool {
		t.Error("the mask of Dropout")
	}
	// A fault belongs to its call alone, and leaves nothing known.
	for range 2 {
		outs, errs := s.Apply(node("Transpose x -> y", onnx.IntsAttr("perm", 0, 1)), 28, []*Value{x})
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), "perm has 2 elements") || outs[0].Kind != onnx.NoType {
			t.Errorf("Transpose: %v %v", outs[0].Type, errs)
		}
	}
	if _, errs := s.Apply(node("Relu x -> y"), 28, []*Value{x}); len(errs) > 0 {
		t.Error(errs)
	}
	if _, errs := s.Apply(node("Gelu x -> y"), 19, []*Value{x}); len(errs) != 1 || !strings.Contains(errs[0].Error(), "from opset 20 on") {
		t.Error(errs)
	}
}

func TestSessionFacts(t *testing.T) {
	p := symshape.NewPool()
	a, b := p.Declare("A", 1, symshape.PosInf), p.Declare("B", 1, symshape.PosInf)
	s := NewSession(p)
	vec := func(d *symshape.Expr) *Value {
		return s.ValueOf(&Type{Kind: onnx.TensorType, Elem: onnx.Float, Ranked: true, Dims: []*symshape.Expr{d}}, nil)
	}
	add := func() (string, []*Error) {
		outs, errs := s.Apply(node("Add x y -> z"), 14, []*Value{vec(a), vec(b)})
		return outs[0].Type.String(), errs
	}
	if got, errs := add(); got != "f32[unk0]" || len(errs) > 0 {
		t.Errorf("without facts: %s %v", got, errs)
	}
	s.Facts, _ = symshape.Facts{}.Assume(p.Eq(a, b))
	if got, errs := add(); got != "f32[A]" || len(errs) > 0 {
		t.Errorf("A is B: %s %v", got, errs)
	}
	s.Facts, _ = symshape.Facts{}.Assume(p.Ge(a, p.AddConst(b, 1)))
	if _, errs := s.Apply(node("MatMul x y -> z"), 13, []*Value{vec(a), vec(b)}); len(errs) != 1 {
		t.Errorf("A is greater than B: %v", errs)
	}
}

// A node with decoded attributes and a body that the caller infers: a loop whose state
// grows by its input.
func TestSessionInfersBodiesOfTheCaller(t *testing.T) {
	p := symshape.NewPool()
	n := p.Declare("N", 1, symshape.PosInf)
	s := NewSession(p)
	tensor := func(d onnx.DType, dims ...*symshape.Expr) *Value {
		return s.ValueOf(&Type{Kind: onnx.TensorType, Elem: d, Ranked: true, Dims: dims}, nil)
	}
	op := schema.Lookup("", "Loop", 28)
	passes := 0
	body := Body{Inputs: 4, Outputs: 4, Infer: func(ins []*Value) []*Value {
		passes++
		outs, _ := s.Apply(node("Concat s x -> t", onnx.IntAttr("axis", 0)), 13, []*Value{ins[2], ins[3]})
		return []*Value{ins[1], outs[0], ins[3], ins[3]}
	}}
	trips := s.ValueOf(&Type{Kind: onnx.TensorType, Elem: onnx.Int64, Ranked: true}, []*symshape.Expr{n})
	x := tensor(onnx.Float, p.Const(4))
	outs, errs := s.Infer(&Node{Op: op, Attrs: op.Default(), Ins: []*Value{trips, nil, x, x}, Outs: 3, Bodies: map[string]Body{"body": body}})
	if len(errs) > 0 || !strings.HasPrefix(outs[0].Type.String(), "f32[unk") || outs[1].Type.String() != "f32[4]" ||
		outs[2].Type.String() != "f32[N,4]" {
		t.Errorf("%v %v %v %v", outs[0].Type, outs[1].Type, outs[2].Type, errs)
	}
	if passes < 2 {
		t.Errorf("%d passes over the body", passes)
	}
	// Numbers of inputs are checked.
	if _, errs := s.Infer(&Node{Op: op, Attrs: op.Default(), Ins: []*Value{trips}, Outs: 1,
		Bodies: map[string]Body{"body": body}}); len(errs) != 1 {
		t.Error(errs)
	}
}

func BenchmarkSessionApply(b *testing.B) {
	p := symshape.NewPool()
	s := NewSession(p)
	x := s.ValueOf(&Type{Kind: onnx.TensorType, Elem: onnx.Float, Ranked: true,
		Dims: []*symshape.Expr{p.Declare("N", 1, symshape.PosInf), p.Const(64)}}, nil)
	n := node("Add x y -> z")
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(n, 14, []*Value{x, x})
	}
}
