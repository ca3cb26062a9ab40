package torch_test

// This file checks the records on symbolic sizes: the expressions of shapes, the
// contents that are tracked through tensors, and the conditions that arise.

import (
	"errors"
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape/dtype"
)

// A bench holds a thread and applies operators by name.
type bench struct {
	*testing.T
	th *opstest.Thread
}

func newBench(t *testing.T) *bench { return &bench{t, opstest.NewThread()} }

// tensor makes a tensor argument of a type such as f32[B,3,H].
func (b *bench) tensor(typ string) *value.Tensor {
	b.Helper()
	name, shape, _ := strings.Cut(typ, "[")
	d, ok := dtype.Parse(name)
	if !ok {
		b.Fatalf("dtype of %q", typ)
	}
	ty := graph.TensorType{DType: d, Ranked: true}
	if rest, unranked := strings.CutPrefix(shape, "*,"); unranked {
		ty.Ranked, shape = false, rest
	}
	s, err := b.th.Pool().ParseShape("[" + shape)
	if err != nil {
		b.Fatal(err)
	}
	ty.Shape = s
	return &value.Tensor{V: b.th.Graph().Input("x", ty, source.Span{})}
}

func (b *bench) try(name string, args ...value.Value) (value.Value, error) {
	b.Helper()
	var kw []value.Kw
	for len(args) > 0 {
		k, ok := args[len(args)-1].(kwarg)
		if !ok {
			break
		}
		kw = append(kw, value.Kw{Name: k.name, Value: k.Value})
		args = args[:len(args)-1]
	}
	op, ok := catalog.Lookup(name)
	if !ok {
		b.Fatalf("no record of %s", name)
	}
	return catalog.Apply(b.th, op, name, args, kw)
}

func (b *bench) call(name string, args ...value.Value) value.Value {
	b.Helper()
	v, err := b.try(name, args...)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return v
}

// kwarg is a keyword argument in a list of arguments.
type kwarg struct {
	value.Value
	name string
}

func (b *bench) want(got value.Value, want string) {
	b.Helper()
	if squeeze(got.String()) != squeeze(want) {
		b.Errorf("got %s, want %s", got, want)
	}
}

// squeeze drops the spaces, which are a matter of the printer.
func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

// contents prints the tracked elements of a tensor.
func contents(v value.Value) string {
	t, ok := v.(*value.Tensor)
	if !ok || t.Contents() == nil {
		return "unknown"
	}
	var parts []string
	for _, e := range t.Contents() {
		_, s, _ := strings.Cut(e.String(), "=")
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func (b *bench) wantContents(v value.Value, want string) {
	b.Helper()
	if got := contents(v); squeeze(got) != squeeze(want) {
		b.Errorf("contents are %s, want %s", got, want)
	}
}

func (b *bench) required() string {
	var parts []string
	for _, c := range b.th.Required {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "; ")
}

func ints(ns ...int) value.Value {
	t := value.NewTuple()
	for _, n := range ns {
		t.Elems = append(t.Elems, value.Int(n))
	}
	return t
}

func TestShapesOfSymbols(t *testing.T) {
	b := newBench(t)
	x := b.tensor("f32[B,3,H,W]")
	b.want(b.call("torch.Tensor.__add__", x, b.tensor("f32[3,1,W]")), "f32[B,3,H,W]")
	b.want(b.call("torch.Tensor.__truediv__", b.tensor("i64[B]"), value.Int(2)), "f32[B]")
	b.want(b.call("torch.mean", x, ints(2, 3)), "f32[B,3]")
	b.want(b.call("torch.mean", x, ints(-2, -1), kwarg{value.Bool(true), "keepdim"}), "f32[B,3,1,1]")
	b.want(b.call("torch.Tensor.argmax", x, value.Int(1)), "i64[B,H,W]")
	b.want(b.call("torch.max", x, value.Int(1)), "max(values=f32[B,H,W], indices=i64[B,H,W])")
	b.want(b.call("torch.Tensor.shape.get", x), "(int=B, int=3, int=H, int=W)")
	b.want(b.call("torch.Tensor.numel", x), "int=3 * B * H * W")
	if r := b.required(); r != "" {
		t.Errorf("conditions %s", r)
	}
}

func TestUnrankedTensorsPass(t *testing.T) {
	b := newBench(t)
	x := b.tensor("f32[*,3]")
	b.want(b.call("torch.relu", x), "f32[*,3]")
	b.want(b.call("torch.Tensor.mul", x, value.Float(2)), "f32[*,3]")
	b.want(b.call("torch.add", x, b.tensor("f32[3]")), "f32[*,3]")
	b.want(b.call("torch.Tensor.sum", x), "f32[]")
	b.want(b.call("torch.Tensor.lt", x, b.tensor("f64[H,3]")), "bool[*,3]")
}

func TestBroadcastConditions(t *testing.T) {
	b := newBench(t)
	b.want(b.call("torch.add", b.tensor("f32[B,T]"), b.tensor("f32[B,512]")), "f32[B,512]")
	if r := b.required(); r != "T == 1 or T == 512" {
		t.Errorf("conditions %q", r)
	}
	_, err := b.try("torch.add", b.tensor("f32[B,3]"), b.tensor("f32[B,4]"))
	var exc *value.Exception
	if !errors.As(err, &exc) || exc.Value.Class.Name != "RuntimeError" {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"3", "4", "f32[B,3]", "f32[B,4]"} {
		if !strings.Contains(exc.Diag.Msg, part) {
			t.Errorf("message %q does not name %s", exc.Diag.Msg, part)
		}
	}
}

func TestShapesThroughTensors(t *testing.T) {
	b := newBench(t)
	x := b.tensor("f32[B,3,H,W]")
	shape := b.call("torch.tensor", b.call("torch.Tensor.shape.get", x))
	b.want(shape, "i64[4]")
	b.wantContents(shape, "B, 3, H, W")
	half := b.call("torch.Tensor.__floordiv__", shape, value.Int(2))
	b.wantContents(half, "B // 2, 1, H // 2, W // 2")
	b.wantContents(b.call("torch.Tensor.prod", shape), "3 * B * H * W")
	b.wantContents(b.call("torch.Tensor.cumsum", shape, value.Int(0)), "B, B + 3, B + H + 3, B + H + W + 3")
	b.want(b.call("torch.Tensor.item", b.call("torch.Tensor.max", b.call("torch.tensor", ints(3, 9, 4)))), "int=9")
	b.wantContents(b.call("torch.Tensor.tolist", shape), "unknown")
	b.want(b.call("torch.Tensor.tolist", shape), "[int=B, int=3, int=H, int=W]")
	b.want(b.call("torch.zeros", b.call("torch.Tensor.tolist", half)), "f32[B//2,1,H//2,W//2]")
}

func TestContentsFollowDTypes(t *testing.T) {
	b := newBench(t)
	u8 := b.call("torch.tensor", ints(200, 100), kwarg{value.DType{D: dtype.U8}, "dtype"})
	b.wantContents(b.call("torch.add", u8, value.Int(100)), "44, 200")
	b.wantContents(b.call("torch.Tensor.lt", u8, value.Int(150)), "False, True")
	third := b.call("torch.div", b.call("torch.tensor", ints(1)), value.Int(3))
	b.wantContents(third, "0.3333333432674408") // rounded to float32
	b.wantContents(b.call("torch.Tensor.long", b.call("torch.tensor", value.NewTuple(value.Float(2.9), value.Float(-2.9)))), "2, -2")
	b.call("torch.Tensor.add_", u8, value.Int(1))
	b.wantContents(u8, "201, 101")
	b.wantContents(b.call("torch.linspace", value.Int(0), value.Float(0.1), value.Int(3)), "0.0, 0.05000000074505806, 0.10000000149011612")
}

func TestLengthsOfRanges(t *testing.T) {
	b := newBench(t)
	h := &value.SymInt{D: b.th.Pool().SymDim("H")}
	b.want(b.call("torch.arange", h), "i64[H]")
	b.want(b.call("torch.arange", value.Int(0), h, value.Int(2)), "i64[ceil(H/2)]")
	b.want(b.call("torch.arange", value.Int(5), value.Int(0), value.Int(-2)), "i64[3]")
	b.want(b.call("torch.arange", value.Float(0), value.Float(1), value.Float(0.1)), "f32[10]")
	b.want(b.call("torch.linspace", value.Int(0), value.Int(1), h), "f32[H]")
	b.want(b.call("torch.arange", b.tensor("i64[]")), "i64[i0]")
	b.want(b.call("torch.zeros", value.NewTuple(value.Int(2), b.tensor("i32[]"))), "f32[2,i1]")
	if _, err := b.try("torch.arange", value.Int(0), value.Int(-1), value.Int(1)); err == nil {
		t.Error("a range backwards is accepted")
	}
	before := len(b.th.Required)
	b.want(b.call("torch.arange", &value.SymInt{D: b.th.Pool().DimSub(h.D, b.th.Pool().ConstDim(5))}), "i64[H-5]")
	if len(b.th.Required) != before+1 {
		t.Errorf("conditions %q", b.required())
	}
}

func TestSizesThatDataDecide(t *testing.T) {
	b := newBench(t)
	v := b.call("torch.nonzero", b.tensor("bool[H,W]")).(*value.Tensor)
	n := v.Type().Shape[0]
	if lo, _ := n.Expr.Bounds(); !n.Expr.IsFresh() || lo != 0 {
		t.Errorf("number of rows is %s", n)
	}
	b.want(b.call("torch.topk", b.tensor("f32[B,N]"), value.Int(5)), "topk(values=f32[B,5], indices=i64[B,5])")
	if r := b.required(); !strings.Contains(r, "N >= 5") {
		t.Errorf("conditions %q", r)
	}
}

func TestInPlaceKeepsTheTensor(t *testing.T) {
	b := newBench(t)
	x := b.tensor("f32[B,H]")
	before := x.V
	if got := b.call("torch.Tensor.__iadd__", x, value.Int(1)); got != value.Value(x) || x.V == before {
		t.Error("in-place addition gives another tensor or no new value")
	}
	if _, err := b.try("torch.Tensor.add_", x, b.tensor("f32[2,B,H]")); err == nil {
		t.Error("an in-place result of another shape is accepted")
	}
	if _, err := b.try("torch.Tensor.add_", b.tensor("i64[H]"), value.Float(1)); err == nil {
		t.Error("float into int is accepted")
	}
	if v, _ := b.try("torch.Tensor.__add__", x, value.Str("a")); v != value.NotImplemented {
		t.Errorf("an operator with a str gives %v", v)
	}
}
