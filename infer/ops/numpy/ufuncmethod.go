package numpy

// This file makes the methods of universal functions: numpy.add.reduce and its kin. They
// are made when they are asked for, as tables would have each of them five times. A method applies
// the function to pairs of elements, so its rule asks the function's own rule for the dtype of a
// result of two such elements (of), and adds the shape: reduce drops axes, accumulate keeps the
// shape, reduceat gives one element per index, outer gives both shapes one after the other, at
// writes in place and gives None.

import (
	"math"
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// ordered are those for which the order of several axes counts. For them the result of several axes
// would depend on the order, which NumPy refuses.
const ordered = " subtract divide true_divide floor_divide mod remainder power pow float_power fmod left_shift right_shift arctan2 copysign nextafter ldexp heaviside lcm " +
	"equal not_equal less less_equal greater greater_equal "

// selecting are those that give nothing of nothing. A reduction over an axis of size 0 has no
// identity, and needs initial=.
const selecting = ordered + "maximum minimum fmax fmin "

// Records are made once per process, as they do not depend on the call.
var ufuncMethods sync.Map // name → *ops.Op

// UfuncMethod gives the record of a method of a universal function by its full name,
// "numpy.add.reduce"; find gives the record of the function. The second result is false for names
// that are no method of a universal function.
func UfuncMethod(name string, find func(string) (*ops.Op, bool)) (*ops.Op, bool) {
	rest, ok := strings.CutPrefix(name, "numpy.")
	fn, method, ok2 := strings.Cut(rest, ".")
	if !ok || !ok2 {
		return nil, false
	}
	if op, ok := ufuncMethods.Load(name); ok {
		return op.(*ops.Op), true
	}
	base, ok := find("numpy." + fn)
	if !ok || !strings.HasSuffix(base.Sig, ufuncTail) {
		return nil, false
	}
	u := ufuncMethod{fn, base, base.Sig == pairUfunc}
	var op ops.Op
	switch {
	case method == "at":
		op = array(rest, "(any a, any indices, any b=None)", byPosition(u.at), "a universal function in place, at indices that may repeat").
			With(ops.Op{Is: graph.Writes})
	// A function of one operand has the methods, but they raise.
	case !u.binary && (method == "reduce" || method == "accumulate" || method == "reduceat" || method == "outer"):
		op = array(rest, "(*args, **kwargs)", func(c *ops.Call) value.Value {
			return c.Errorf("ValueError", diag.BadCall, "%s is only supported for functions of two operands: %s takes one", method, fn)
		}, "refused: the function takes one operand")
	case !u.binary:
		return nil, false
	case method == "reduce":
		op = array(rest, "(any array, any axis=0, any dtype=None, any out=None, any keepdims=False, any initial=None, any where=True)",
			u.reduce, "a universal function over axes")
	case method == "accumulate":
		op = array(rest, "(any array, any axis=0, any dtype=None, any out=None)", u.accumulate,
			"a universal function of each element and those before")
	case method == "reduceat":
		op = array(rest, "(any array, any indices, any axis=0, any dtype=None, any out=None)", u.reduceAt, "reductions of slices")
	case method == "outer":
		op = array(rest, "(any A, any B, *, any out=None, any where=True, any casting='same_kind', any order='K', any dtype=None, any subok=True)", byPosition(u.outer), "a universal function of all pairs")
	default:
		return nil, false
	}
	stored, _ := ufuncMethods.LoadOrStore(name, &op)
	return stored.(*ops.Op), true
}

// byPosition refuses keywords for the first two arguments. NumPy declares them as positional only.
func byPosition(rule func(c *ops.Call) value.Value) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if c.Positional < 2 {
			return c.Errorf("TypeError", diag.BadCall, "%s() takes its arguments by position alone", c.Short())
		}
		return rule(c)
	}
}

// identities are what universal functions give of nothing, in the order of their names. A function
// that is not listed has no identity (None).
var identities = map[string]value.Value{
	"add": value.Int(0), "bitwise_and": value.Int(-1), "bitwise_or": value.Int(0), "bitwise_xor": value.Int(0), "gcd": value.Int(0),
	"hypot":     value.Int(0),
	"logaddexp": value.Float(math.Inf(-1)), "logaddexp2": value.Float(math.Inf(-1)), "logical_and": value.Bool(true),
	"logical_or":  value.Bool(false),
	"logical_xor": value.Bool(false), "multiply": value.Int(1),
}

// ufuncNames are the names that universal functions have of themselves, by their other names.
// __name__ of np.abs is 'absolute'.
var ufuncNames = map[string]string{
	"true_divide": "divide", "mod": "remainder", "abs": "absolute", "conj": "conjugate", "bitwise_not": "invert", "bitwise_invert": "invert",
	"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "pow": "power", "acos": "arccos", "acosh": "arccosh",
	"asin": "arcsin", "asinh": "arcsinh",
	"atan": "arctan", "atan2": "arctan2", "atanh": "arctanh",
}

// OwnName is the name that a universal function has of itself where it is called by another one, or
// "". full is the name by which the program calls it.
func OwnName(full string) string { return ufuncNames[strings.TrimPrefix(full, "numpy.")] }

// UfuncAttr gives what a universal function tells about itself, by the record of the
// function: its numbers of operands and results, and its identity. nil: not known. full is the name
// with "numpy.".
func UfuncAttr(op *ops.Op, full, attr string) value.Value {
	if !strings.HasSuffix(op.Sig, ufuncTail) {
		return nil
	}
	nin := operandCount(op.Sig)
	switch attr {
	case "nin":
		return value.Int(nin)
	case "nout":
		return value.Int(1)
	case "nargs":
		return value.Int(nin + 1)
	case "identity":
		if v := identities[strings.TrimPrefix(full, "numpy.")]; v != nil {
			return v
		}
		return value.None
	case "signature":
		if !strings.Contains(" matmul vecdot matvec vecmat ", strings.TrimPrefix(full, "numpy.")+" ") {
			return value.None
		}
	}
	return nil
}

// operandCount is how many operands a universal function of a signature takes. Operands are what
// stands before the common tail.
func operandCount(sig string) int {
	return strings.Count(strings.TrimSuffix(sig, ufuncTail), ",") + 1
}

// A ufuncMethod is a universal function of which a method is called.
type ufuncMethod struct {
	name   string
	op     *ops.Op
	binary bool
}

// of applies the function; its type is what counts. It is nil after a fault. Nothing of the result
// is used but its type.
func (u ufuncMethod) of(c *ops.Call, args ...value.Value) *graphType {
	switch x := c.Delegate(u.op.Names[0], args).(type) {
	case *value.Tensor:
		return &graphType{x.Type().DType, x.Type().Ranked, x.Type().Shape}
	case *value.Instance:
		return &graphType{ops.ScalarDType(x), true, symshape.Shape{}}
	}
	return nil
}

type graphType struct {
	d      dtype.DType
	ranked bool
	shape  symshape.Shape
}

// resultType is the dtype of the function of elements of t. dtype= asks for it where the function
// computes in that dtype; add and multiply widen small integers, as sum and prod do; a comparison
// of bools with elements would fail from the second step on. Otherwise it is the function's own
// dtype for two elements.
func (u ufuncMethod) resultType(c *ops.Call, t *value.Tensor) dtype.DType {
	d := t.Type().DType
	switch {
	case c.Has("dtype"):
		asked := arrayDType(c, d)
		if u.truth() && asked != dtype.Unknown && asked != dtype.Bool {
			c.Errorf("TypeError", diag.DTypeMismatch, "%s gives bools, and does not compute in %s", c.Short(), asked.Numpy())
		}
		// The function is tried with two elements of the dtype.
		if c.OK() && asked != dtype.Unknown && !u.truth() {
			x := c.Out(asked, symshape.Shape{c.Const(1)})
			if ty := u.of(c, x, x); ty != nil && c.OK() && ty.d != asked && ty.d != dtype.Unknown {
				c.Errorf("TypeError", diag.DTypeMismatch, "%s does not compute in %s", c.Short(), asked.Numpy())
			}
			// The trial is no part of the call's results.
			c.Outs = nil
		}
		return asked
	case d == dtype.Unknown:
		return d
	case u.name == "add" || u.name == "multiply":
		return WideSum(c, d)
	case u.truth() && !strings.HasPrefix(u.name, "logical_") && d != dtype.Bool:
		c.Errorf("TypeError", diag.DTypeMismatch, "%s compares results, which are bools, with elements of %s: it works on arrays of bool",
			c.Short(), d.Numpy())
		return dtype.Unknown
	}
	bare := *t // without its elements, which are no operands of each other
	bare.Elems = nil
	if ty := u.of(c, &bare, &bare); ty != nil {
		return ty.d
	}
	return dtype.Unknown
}

// source reads the array of a method.
func source(c *ops.Call) (*value.Tensor, symshape.Shape) {
	t := numbers(c, "array")
	if t == nil {
		return nil, nil
	}
	return t, c.Shape(t)
}

// truth reports whether the function gives bools.
func (u ufuncMethod) truth() bool {
	return u.is(" equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor ")
}

func (u ufuncMethod) is(list string) bool { return strings.Contains(list, " "+u.name+" ") }

// Several axes are allowed where their order does not matter. An axis of size 0 needs an identity.
func (u ufuncMethod) reduce(c *ops.Call) value.Value {
	t, s := source(c)
	if !c.OK() {
		return nil
	}
	d := u.resultType(c, t)
	axes, all := arrayAxes(c, len(s))
	if !c.OK() {
		return nil
	}
	if u.is(ordered) && (len(axes) > 1 || all && len(s) > 1) {
		return c.Errorf("ValueError", diag.BadValue, "%s.reduce over several axes: the order of the operations is not defined", u.name)
	}
	// What is full must have elements along the axes.
	r := arrayReduce{full: u.is(selecting), fold: foldOf(u.name), truth: strings.HasPrefix(u.name, "logical_")}
	switch u.name {
	case "add":
		r.neutral = value.Int(0)
	case "multiply":
		r.neutral = value.Int(1)
	case "logical_and", "logical_or", "logical_xor":
		r.neutral = value.Bool(u.name == "logical_and")
	}
	r.result = func(*ops.Call, dtype.DType) dtype.DType { return d }
	return r.reduce(c, t)
}

// foldOf is the function on elements, where it is tracked. nil: the elements of the result are not
// known.
func foldOf(name string) ops.ElemFunc {
	switch name {
	case "add":
		return ops.AddElem
	case "multiply":
		return ops.MulElem
	case "maximum", "fmax":
		return ops.MaxElem
	case "minimum", "fmin":
		return ops.MinElem
	case "logical_and":
		return ops.AndElem
	case "logical_or":
		return ops.OrElem
	case "bitwise_and":
		return ufAnd.elem
	case "bitwise_or":
		return ufOr.elem
	case "bitwise_xor":
		return ufXor.elem
	}
	return nil
}

// Exactly one axis; the result has the shape and order of the array.
func (u ufuncMethod) accumulate(c *ops.Call) value.Value {
	t, s := source(c)
	if !c.OK() {
		return nil
	}
	if _, several, _ := c.Sequence(c.Value("axis")); several || len(s) == 0 {
		return c.Errorf("TypeError", diag.RankMismatch, "%s.accumulate needs one axis of an array with dimensions, not of %s", u.name, t)
	}
	anAxis(c, c.Value("axis"), len(s))
	d := u.resultType(c, t)
	if !c.OK() {
		return nil
	}
	out := c.Out(d, slices.Clone(s))
	// Elements of vectors of integers are followed, such as cumulative sums of sizes.
	if f := foldOf(u.name); f != nil && len(s) == 1 && d.IsIntegral() && ops.Tracked(d) {
		out.SetContents(running(c, d, t.Contents(), f))
	}
	if c.Has("out") {
		return writeReduced(c, c.Value("out"), out)
	}
	return out
}

// running applies f to each element and the result before, or gives nil. The result has as many
// elements as e, each of dtype d.
func running(c *ops.Call, d dtype.DType, e []value.Value, f ops.ElemFunc) []value.Value {
	if e == nil {
		return nil
	}
	out := make([]value.Value, len(e))
	for i := range e {
		x := c.CastElem(d, e[i])
		if i > 0 && x != nil {
			x = f(c, d, []value.Value{out[i-1], x})
		}
		if x == nil {
			return nil
		}
		out[i] = x
	}
	return out
}

// The result has as many elements along the axis as there are indices, which must be within the
// axis.
func (u ufuncMethod) reduceAt(c *ops.Call) value.Value {
	t, s := source(c)
	i := wholes(c, "indices", "TypeError")
	if i == nil || !c.OK() {
		return nil
	}
	if !vector(c, i) {
		return nil
	}
	a := anAxis(c, c.Value("axis"), len(s))
	d := u.resultType(c, t)
	if !c.OK() {
		return nil
	}
	n, known := s[a].Const()
	for _, e := range i.Contents() {
		if k, ok := value.AsInt(e); ok && known && (k < 0 || k >= n) {
			return c.Errorf("IndexError", diag.BadValue, "%s.reduceat: index %d is out of range for size %d", u.name, k, n)
		}
	}
	return c.Out(d, ops.With(s, a, i.Type().Shape[0]))
}

// The shape is that of A followed by that of B: A gets an axis of size 1 for each of B's.
func (u ufuncMethod) outer(c *ops.Call) value.Value {
	a, b := numbers(c, "A"), numbers(c, "B")
	if a == nil || b == nil {
		return nil
	}
	s, r := c.Shape(a), c.Shape(b)
	if !c.OK() {
		return nil
	}
	x := value.Value(a)
	if wide := slices.Clone(s); len(r) > 0 && (len(s) > 0 || c.Numpy1()) { // numpy 1 gives numbers dimensions, so that they count like arrays
		for range r {
			wide = append(wide, c.Const(1))
		}
		if x = viewWith(c, a, wide); !c.OK() {
			return nil
		}
	}
	var kw []value.Kw
	for _, name := range [...]string{"out", "where", "casting", "dtype"} {
		kw = append(kw, value.Kw{Name: name, Value: c.Value(name)})
	}
	return c.Delegate(u.op.Names[0], []value.Value{x, b}, kw...)
}

// The elements that the indices select are combined with b, which broadcasts to them; indices that
// occur twice are applied twice, which shapes do not show. The result must broadcast to the
// selection.
func (u ufuncMethod) at(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok || !ops.IsArray(t) {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s.at: the first operand must be an array, not %s", u.name, ops.TypeName(c.Value("a")))
	}
	// A function of one operand takes no b.
	if given := c.Has("b") || c.Positional > 2; given != u.binary {
		return c.Errorf("ValueError", diag.BadCall, "%s.at is called with another number of operands than %s has", u.name, u.name)
	}
	key, _ := arrayKey(c, t, c.Value("indices"))
	if !c.OK() {
		return nil
	}
	picked := c.DelegateTensor("torch.Tensor.__getitem__", []value.Value{t, intsAsArrays(c, key)})
	if picked == nil {
		return nil
	}
	picked.Class = c.NDArray()
	args := []value.Value{picked}
	if u.binary {
		args = append(args, c.Value("b"))
	}
	ty := u.of(c, args...)
	if ty == nil || !c.OK() {
		return nil
	}
	if p := picked.Type(); ty.ranked && p.Ranked && !c.BroadcastsTo(ty.shape, p.Shape) {
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s.at: operands of shape %s do not fit the %s that the indices select", u.name,
			ty.shape, p.Shape)
	}
	changed(c, t)
	return value.None
}
