package lower

// This file writes the nodes that compute sizes and other numbers.

import (
	"fmt"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A folder emits the computation of sizes.
type folder struct {
	l  *lowerer
	b  *block
	at source.Span
	// path is the prefix of the names of what it emits; "" means sizePath.
	path string
}

// sizePath is the prefix of the names of computed sizes.
const sizePath = "/sizes/"

// op emits a node, once for the same operands.
func (f *folder) op(op string, ins []string, attrs ...*onnx.Attr) string {
	key := "op " + op + " " + strings.Join(ins, " ")
	for _, a := range attrs {
		if a.Type != onnx.AttrInt {
			return f.called(op, op, ins, attrs...)
		}
		key += fmt.Sprintf(" %s=%d", a.Name, a.Int)
	}
	name, ok := f.b.size(key)
	if !ok {
		name = f.called(op, op, ins, attrs...)
		f.b.sizes[key] = name
	}
	return name
}

// called emits a node with a name of its own.
func (f *folder) called(name, op string, ins []string, attrs ...*onnx.Attr) string {
	out := f.l.unique(orElse(f.path, sizePath) + name)
	n := &onnx.Node{Op: op, Name: out, Inputs: ins, Outputs: []string{out}, Attrs: attrs}
	f.b.emit(n)
	f.l.declare(f.b, out, f.l.sizeType(n))
	return out
}

// typed emits a node whose result has a type that sizeType does not know.
func (f *folder) typed(typ *onnx.Type, op string, ins []string, attrs ...*onnx.Attr) string {
	out := f.op(op, ins, attrs...)
	f.l.declare(f.b, out, typ)
	return out
}

// dimension reads a dimension of a value, as a tensor of one element. It is called
// by what it is: /sizes/H.
func (f *folder) dimension(at size, e *symshape.Expr) string {
	text := strings.ReplaceAll(e.String(), " ", "")
	key := "dimension " + text
	if at.coef != 1 || at.offset != 0 {
		key = fmt.Sprintf("dimension %d of %s", at.axis, at.value)
		text = "Shape"
	}
	if name, ok := f.b.size(key); ok {
		return name
	}
	name := f.called(text, "Shape", []string{at.value}, onnx.IntAttr("start", int64(at.axis)), onnx.IntAttr("end", int64(at.axis)+1))
	f.b.sizes[key] = name
	return name
}

// squeezed and unsqueezed make a scalar of one element, and the other way round.
func (f *folder) squeezed(name string, e *symshape.Expr) string {
	out := f.called(strings.ReplaceAll(e.String(), " ", "")+"/scalar", "Squeeze", []string{name, f.tensor(onnx.NewInts(nil, 0))})
	f.l.natural[out] = true
	return out
}

func (f *folder) unsqueezed(name string) string {
	key := "unsqueezed " + name
	got, ok := f.b.size(key)
	if !ok {
		got = f.op("Unsqueeze", []string{name, f.tensor(onnx.NewInts(nil, 0))})
		f.b.sizes[key] = got
	}
	return got
}

func (f *folder) cast(name string, to onnx.DType) string {
	return f.op("Cast", []string{name}, onnx.IntAttr("to", int64(to)))
}

func (f *folder) tensor(t *onnx.Tensor) string {
	key := constantKey(t)
	if name, ok := f.b.size(key); ok {
		return name
	}
	name := f.op("Constant", nil, onnx.TensorAttr("value", t))
	f.b.sizes[key] = name
	return name
}

func constantKey(t *onnx.Tensor) string { return fmt.Sprintf("const %d%v%x", t.DType, t.Dims, t.Raw) }

func (f *folder) full(d onnx.DType, x float64) string {
	t, err := onnx.NewScalar(d, x)
	if err != nil {
		f.l.fail(f.at, "%v", err)
		return ""
	}
	return f.tensor(t)
}

func (f *folder) Int(i int64) string {
	name := f.tensor(onnx.NewInts([]int64{}, i))
	f.l.natural[name] = i >= 0
	return name
}

// Symbol reads a size from the shape of the value that has it.
func (f *folder) Symbol(s *symshape.Expr) string {
	name, _ := s.IsSymbol()
	if v, ok := f.b.size(name); ok {
		return v
	}
	at, ok := f.l.sources[s]
	if input := f.l.integers[s]; !ok && input != "" {
		f.l.main.sizes[name] = input
		return input
	}
	if !ok {
		f.l.fail(f.at, "the size %s is not that of any input", name)
		return ""
	}
	if at.axis == lengthOf {
		v := f.op("SequenceLength", []string{at.value})
		f.l.natural[v] = true
		f.b.sizes[name] = v
		return v
	}
	v := f.squeezed(f.dimension(at, s), s)
	if at.offset != 0 {
		v = f.op("Sub", []string{v, f.Int(at.offset)})
	}
	if at.rest != nil {
		v = f.op("Sub", []string{v, symshape.FoldExpr(at.rest, symshape.Folder[string](f))})
	}
	if at.coef != 1 {
		v = f.op("Div", []string{v, f.Int(at.coef)})
	}
	f.b.sizes[name] = v
	return v
}

func (f *folder) Add(x, y string) string { return f.arithmetic("Add", x, y) }
func (f *folder) Mul(x, y string) string { return f.arithmetic("Mul", x, y) }
func (f *folder) Max(x, y string) string { return f.arithmetic("Max", x, y) }
func (f *folder) Min(x, y string) string { return f.arithmetic("Min", x, y) }

// arithmetic emits an operation that has no negative result for operands that are
// not negative.
func (f *folder) arithmetic(op, x, y string) string {
	name := f.op(op, []string{x, y})
	f.l.natural[name] = f.l.natural[x] && f.l.natural[y]
	return name
}

// FloorDiv rounds down, where ONNX's Div of integers rounds to zero:
// x // y = (x - x mod y) / y with the remainder that has y's sign, as Mod has it.
func (f *folder) FloorDiv(x, y string) string {
	if f.l.natural[x] && f.l.natural[y] {
		// ONNX Runtime rewrites 1/y*z to z/y, of integers as well.
		if one, ok := f.b.size(constantKey(onnx.NewInts([]int64{}, 1))); ok && x == one {
			x, y = f.Int(2), f.Mul(y, f.Int(2))
		}
		return f.arithmetic("Div", x, y)
	}
	rest := f.op("Mod", []string{x, y})
	return f.op("Div", []string{f.op("Sub", []string{x, rest}), y})
}

// roundings are ONNX's operators for ways to round; the other, towards zero, is what Cast does.
var roundings = map[symshape.Rounding]string{
	symshape.RoundFloor: "Floor", symshape.RoundCeil: "Ceil", symshape.RoundEven: "Round",
}

func (f *folder) Round(how symshape.Rounding, x string) string {
	if op := roundings[how]; op != "" {
		x = f.op(op, []string{x})
	}
	return f.op("Cast", []string{x}, onnx.IntAttr("to", int64(onnx.Int64))) // Cast rounds to zero
}

func (f *folder) Float(x float64) string { return f.full(onnx.Double, x) }

func (f *folder) FromInt(x string) string {
	return f.op("Cast", []string{x}, onnx.IntAttr("to", int64(onnx.Double)))
}

func (f *folder) Unary(op symshape.RealOp, x string) string {
	if op == symshape.OpNeg {
		return f.op("Neg", []string{x})
	}
	return f.op("Sqrt", []string{x})
}

// realOps are the operators of ONNX that compute what operations on binary64 numbers do.
var realOps = map[symshape.RealOp]string{
	symshape.OpAdd: "Add", symshape.OpSub: "Sub", symshape.OpMul: "Mul", symshape.OpDiv: "Div", symshape.OpPow: "Pow",
	symshape.OpMin: "Min", symshape.OpMax: "Max",
}

func (f *folder) Binary(op symshape.RealOp, x, y string) string {
	switch op {
	case symshape.OpFDiv:
		return f.op("Floor", []string{f.op("Div", []string{x, y})})
	case symshape.OpMod: // x - floor(x/y)·y
		return f.op("Sub", []string{x, f.op("Mul", []string{f.Binary(symshape.OpFDiv, x, y), y})})
	}
	return f.op(realOps[op], []string{x, y})
}

func (f *folder) Bool(b bool) string {
	v := 0.0
	if b {
		v = 1
	}
	return f.full(onnx.Bool, v)
}

func (f *folder) Compare(op string, x string) string {
	zero := f.Int(0)
	switch op {
	case "==":
		return f.op("Equal", []string{x, zero})
	case "!=":
		return f.op("Not", []string{f.op("Equal", []string{x, zero})})
	}
	return f.op("GreaterOrEqual", []string{x, zero})
}

func (f *folder) And(x, y string) string { return f.op("And", []string{x, y}) }
func (f *folder) Or(x, y string) string  { return f.op("Or", []string{x, y}) }
