package lower

// This file computes sizes inside the model.

import (
	"fmt"
	"maps"

	"shapecheck/infer/graph"
	"shapecheck/internal/onnx"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A size is a place where the value of a symbol can be read: a dimension of a
// value, which is coef·symbol + offset.
type size struct {
	value        string
	axis         int
	coef, offset int64
}

// bindSymbols notes the symbols that the shape of a value gives.
func (l *lowerer) bindSymbols(v *graph.Value, name string) {
	if v.Kind == graph.TensorKind {
		l.bindShape(v, name)
	}
}

// bindShape notes those of a tensor of v's type.
func (l *lowerer) bindShape(v *graph.Value, name string) {
	if !v.Type.Ranked {
		return
	}
	for i, d := range v.Type.Shape {
		if d.Expr == nil {
			continue
		}
		syms := d.Expr.Symbols()
		if len(syms) != 1 {
			continue
		}
		s := syms[0]
		coef, offset, ok := linear(d.Expr, s)
		if old, have := l.sources[s]; !ok || have && (old.coef == 1 || coef != 1) {
			continue
		}
		l.sources[s] = size{name, i, coef, offset}
	}
}

// linear writes e as coef·s + offset.
func linear(e, s *symshape.Expr) (coef, offset int64, ok bool) {
	p := e.Pool()
	at := func(x int64) (int64, bool) {
		v, err := e.Eval(func(string) (int64, bool) { return x, true })
		return v, err == nil
	}
	v0, ok0 := at(0)
	v1, ok1 := at(1)
	if !ok0 || !ok1 || v1 == v0 {
		return 0, 0, false
	}
	coef, offset = v1-v0, v0
	return coef, offset, p.AddConst(p.Mul(p.Const(coef), s), offset) == e
}

// scalar returns the name of a value of no dimensions that holds a number: i64 of
// integers and f64 of floats.
func (l *lowerer) scalar(b *block, o graph.Operand, at source.Span) string {
	key := graph.OperandString(o)
	if _, real := o.(symshape.Real); real {
		key = "real " + o.(symshape.Real).String()
	}
	for x := b; x != nil; x = x.outer {
		if name, ok := x.sizes[key]; ok {
			return name
		}
	}
	f := &folder{l: l, b: b, at: at}
	var name string
	switch o := o.(type) {
	case int64:
		name = f.Int(o)
	case bool:
		name = f.Bool(o)
	case float64:
		name = f.Float(o)
	case symshape.Dim:
		if n, ok := o.Const(); ok {
			name = f.Int(n)
			break
		}
		if o.Expr == nil {
			l.fail(at, "a size is not known here")
			return ""
		}
		name = symshape.FoldExpr(o.Expr, symshape.Folder[string](f))
	case symshape.Real:
		if !o.Known() {
			l.fail(at, "a float that data decide is not known here")
			return ""
		}
		name = symshape.FoldReal(o, symshape.Folder[string](f))
	case *symshape.Cond:
		name = symshape.FoldCond(o, symshape.Folder[string](f))
	case *graph.Value:
		name = l.tensor(b, o, at)
		if typ := tensorTypeOf(o); typ != nil && typ.Elem != onnx.Int64 {
			name = f.cast(name, onnx.Int64)
		}
		return name
	default:
		l.fail(at, "%s is not a number", key)
		return ""
	}
	b.sizes[key] = name
	return name
}

// vector returns the name of an i64 tensor of one dimension that holds sizes.
func (l *lowerer) vector(b *block, list []graph.Operand, at source.Span) string {
	f := &folder{l: l, b: b, at: at}
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = f.op("Unsqueeze", []string{l.scalar(b, o, at), f.tensor(onnx.NewInts(nil, 0))})
	}
	return f.op("Concat", parts, onnx.IntAttr("axis", 0))
}

// A folder emits the computation of sizes.
type folder struct {
	l  *lowerer
	b  *block
	at source.Span
}

// sizePath is the prefix of the names of computed sizes.
const sizePath = "/sizes/"

func (f *folder) op(op string, ins []string, attrs ...*onnx.Attr) string {
	out := f.l.unique(sizePath + op)
	f.b.emit(&onnx.Node{Op: op, Name: out, Inputs: ins, Outputs: []string{out}, Attrs: attrs})
	return out
}

func (f *folder) cast(name string, to onnx.DType) string {
	return f.op("Cast", []string{name}, onnx.IntAttr("to", int64(to)))
}

func (f *folder) tensor(t *onnx.Tensor) string {
	key := fmt.Sprintf("const %d%v%x", t.DType, t.Dims, t.Raw)
	for x := f.b; x != nil; x = x.outer {
		if name, ok := x.sizes[key]; ok {
			return name
		}
	}
	name := f.op("Constant", nil, onnx.TensorAttr("value", t))
	f.b.sizes[key] = name
	return name
}

func (f *folder) full(d onnx.DType, x float64) string {
	t, err := onnx.NewScalar(d, x)
	if err != nil {
		f.l.fail(f.at, "%v", err)
		return ""
	}
	return f.tensor(t)
}

func (f *folder) Int(i int64) string { return f.tensor(onnx.NewInts([]int64{}, i)) }

// Symbol reads a size from the shape of the value that has it.
func (f *folder) Symbol(s *symshape.Expr) string {
	name, _ := s.IsSymbol()
	for x := f.b; x != nil; x = x.outer {
		if v, ok := x.sizes[name]; ok {
			return v
		}
	}
	at, ok := f.l.sources[s]
	if !ok {
		f.l.fail(f.at, "the size %s is not that of any input", name)
		return ""
	}
	v := f.op("Shape", []string{at.value}, onnx.IntAttr("start", int64(at.axis)), onnx.IntAttr("end", int64(at.axis)+1))
	v = f.op("Squeeze", []string{v, f.tensor(onnx.NewInts(nil, 0))})
	if at.offset != 0 {
		v = f.op("Sub", []string{v, f.Int(at.offset)})
	}
	if at.coef != 1 {
		v = f.op("Div", []string{v, f.Int(at.coef)})
	}
	f.b.sizes[name] = v
	return v
}

func (f *folder) Add(x, y string) string { return f.op("Add", []string{x, y}) }
func (f *folder) Mul(x, y string) string { return f.op("Mul", []string{x, y}) }
func (f *folder) Max(x, y string) string { return f.op("Max", []string{x, y}) }
func (f *folder) Min(x, y string) string { return f.op("Min", []string{x, y}) }

// FloorDiv rounds down, where ONNX's Div of integers rounds to zero:
// x // y = (x - x mod y) / y with the remainder that has y's sign, as Mod has it.
func (f *folder) FloorDiv(x, y string) string {
	rest := f.op("Mod", []string{x, y})
	return f.op("Div", []string{f.op("Sub", []string{x, rest}), y})
}

var roundings = map[string]string{"floor": "Floor", "ceil": "Ceil", "round": "Round"}

func (f *folder) Round(how string, x string) string {
	if op := roundings[how]; op != "" {
		x = f.op(op, []string{x})
	}
	return f.op("Cast", []string{x}, onnx.IntAttr("to", int64(onnx.Int64))) // Cast rounds to zero
}

func (f *folder) Float(x float64) string { return f.full(onnx.Double, x) }

func (f *folder) FromInt(x string) string {
	return f.op("Cast", []string{x}, onnx.IntAttr("to", int64(onnx.Double)))
}

func (f *folder) Unary(op string, x string) string {
	if op == "neg" {
		return f.op("Neg", []string{x})
	}
	return f.op("Sqrt", []string{x})
}

var realOps = map[string]string{"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "min": "Min", "max": "Max"}

func (f *folder) Binary(op string, x, y string) string {
	switch op {
	case "floordiv":
		return f.op("Floor", []string{f.op("Div", []string{x, y})})
	case "mod": // x - floor(x/y)·y
		return f.op("Sub", []string{x, f.op("Mul", []string{f.Binary("floordiv", x, y), y})})
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

// saveSources returns a copy of the sources: those of a block are not seen
// outside of it.
func (l *lowerer) saveSources() map[*symshape.Expr]size { return maps.Clone(l.sources) }
