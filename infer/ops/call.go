package ops

// This file defines Call: the bound arguments as a rule reads them, and the
// results it makes. The first fault or loss wins; after it accessors give
// harmless zero values, so that rules need no checks in between, and Apply looks
// once at the end.

import (
	"fmt"
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Inf is a bound of a Span that has none.
var Inf = math.Inf(1)

// A Call is one application of an Op.
type Call struct {
	Th value.Thread
	P  *symshape.Pool
	Op *Op
	// Name is the name under which it was called.
	Name string
	// Overload is the index of the signature that fits.
	Overload int

	// sig is that signature, and args are the arguments of its parameters.
	Sig  *Signature
	Args []value.Value
	// positional is the number of arguments that were not given by name.
	Positional int
	// outs are the results that the rule made, which a node of the typed graph will
	// give; without any there is no node.
	Outs  []*value.Tensor
	err   error
	lost  string
	blame []Ref
	fact  diag.Fact
	form  string // see Measuring
	sizes []any
	fixed bool // see FixingRank
	// inout: an in-place form, whose result must fit the first argument.
	InPlace bool
	// lib is the library whose exceptions and results the call has; a rule may choose another.
	Lib *Library
	// find gives a record by any of its names; rules cannot ask the catalog for it, as
	// its tables refer to them.
	Find func(name string) (*Op, bool)
	// OutDType is the dtype of the tensor given as out=, or Unknown.
	OutDType dtype.DType
	// CastOut: the result may be converted to the dtype of out= although ExactOut is set.
	CastOut bool
	// ExactOut: out= must have the result's dtype although ExactOut is not set.
	ExactOut bool
	// OutShape is its shape, nil without one.
	OutShape symshape.Shape
}

// A Ref names one axis of a tensor, for the chain of lines in a diagnostic.
type Ref struct {
	Tensor *value.Tensor
	Axis   int
}

// OK reports whether neither a fault nor a loss has happened.
func (c *Call) OK() bool { return c.err == nil && c.lost == "" }

// Err returns the fault, or nil.
func (c *Call) Err() error { return c.err }

// Lost says why the result cannot be known, or is "".
func (c *Call) Lost() string { return c.lost }

// Errorf records a fault: Python's exception class and what is reported. It
// returns nil so that a rule can return it.
func (c *Call) Errorf(class string, code diag.Code, format string, args ...any) value.Value {
	if c.OK() {
		if c.Lib.Error != nil {
			class = c.Lib.Error(c, class, code)
		}
		d := diag.Newf(code, c.Th.Here(), format, args...)
		if typ := d.Fact.Type; c.fact.Kind != diag.NoFact {
			d.Fact = c.fact
			d.Fact.Type = typ
		}
		if c.form != "" {
			d.Measured(c.form, c.sizes...)
		}
		d.Sizes.Numbered = d.Sizes.Numbered || c.fixed
		d.Related, d.Born = Chain(c.Th, c.blame), Born(c.blame)
		if shapeCodes[code] {
			d.Operands = c.operands()
			if len(d.Related) == 0 {
				d.Related = makers(c.Args, d.At)
			}
			d.Related = append(Producers(c.about(), d.At, d.Related), d.Related...)
		}
		c.err = c.Th.Fail(class, d)
	}
	return nil
}

// about are the tensors that a fault is about: those that Blame named, or else all among the arguments.
func (c *Call) about() []*value.Tensor {
	var out []*value.Tensor
	for _, r := range c.blame {
		out = append(out, r.Tensor)
	}
	if len(out) > 0 {
		return out
	}
	for _, a := range c.Args {
		for x := range value.Walk(a, 2, value.Sequences) {
			if t, ok := x.(*value.Tensor); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

// Shapef records a RuntimeError about shapes (SC101).
func (c *Call) Shapef(format string, args ...any) value.Value {
	return c.Errorf("RuntimeError", diag.ShapeMismatch, format, args...)
}

// Blame names the axes that the next fault is about; the diagnostic shows the
// lines that made them.
func (c *Call) Blame(refs ...Ref) *Call {
	c.blame = refs
	return c
}

// Saying has the next fault say what it comes down to.
func (c *Call) Saying(f diag.Fact) *Call {
	c.fact = f
	return c
}

// Measuring says which sizes the next fault is about where its message has them as texts: form is what its statement is told by.
func (c *Call) Measuring(form string, sizes ...any) *Call {
	c.form, c.sizes = form, sizes
	return c
}

// Measure has a fault say which sizes it is about: those of Measuring and of the tensors among the arguments.
func (c *Call) Measure(d *diag.Diagnostic, form string) {
	sizes := slices.Clone(c.sizes)
	for _, t := range c.about() {
		sizes = append(sizes, t)
	}
	d.Measured(c.form+form, sizes...)
}

// FixingRank says that the next fault is that the operation takes some numbers of dimensions alone, whatever a program gives it.
func (c *Call) FixingRank() *Call {
	c.fixed = true
	return c
}

// OfSizes is a fact about two sizes; none unless both are numbers, at least on the path of the call.
func (c *Call) OfSizes(kind diag.FactKind, has, wants symshape.Dim) diag.Fact {
	if has.Expr == nil || wants.Expr == nil {
		return diag.Fact{}
	}
	a, known := c.Th.Facts().Only(has.Expr)
	if b, also := c.Th.Facts().Only(wants.Expr); known && also {
		return diag.Fact{Kind: kind, Has: a, Wants: b}
	}
	return diag.Fact{}
}

// Lose records that the result cannot be known.
func (c *Call) Lose(format string, args ...any) value.Value {
	if c.OK() {
		c.lost = fmt.Sprintf(format, args...)
	}
	return nil
}

// SetErr passes on an error of the thread.
func (c *Call) SetErr(err error) {
	if err != nil && c.err == nil {
		c.err = err
	}
}

// index finds a parameter that a rule asks for by name; a name that the signature lacks is a bug of the record,
// and so a panic.
func (c *Call) index(name string) int {
	i := c.Sig.param(name)
	for _, k := range [...]int{c.Sig.Rest, c.Sig.KwRest} {
		if k >= 0 && c.Sig.Params[k].Name == name {
			i = k // *args and **kwargs, which no keyword can name
		}
	}
	if i < 0 {
		panic(fmt.Sprintf("ops: %s has no parameter %q in overload %d", c.Op.Names[0], name, c.Overload))
	}
	return i
}

// HasParam reports whether the overload in use has the parameter.
func (c *Call) HasParam(name string) bool { return c.Sig.param(name) >= 0 }

// Value returns an argument as it was bound.
func (c *Call) Value(name string) value.Value { return c.Args[c.index(name)] }

// Has reports whether the overload has the parameter and its argument is not None.
func (c *Call) Has(name string) bool {
	i := c.Sig.param(name)
	return i >= 0 && c.Args[i] != value.None
}

// Tensor returns a tensor argument, or nil when it is None.
func (c *Call) Tensor(name string) *value.Tensor {
	switch v := c.Value(name).(type) {
	case *value.Tensor:
		return v
	case value.NoneType:
		return nil
	case *value.Choice, *value.Unknown, *value.Abstract:
		c.Lose("argument '%s' is not known", name)
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be a Tensor, not %s", c.Short(), name, TypeName(v))
	}
	return nil
}

// Tensors returns a list argument of tensors.
func (c *Call) Tensors(name string) []*value.Tensor {
	elems, ok := c.Elems(name)
	if !ok {
		return nil
	}
	list := make([]*value.Tensor, 0, len(elems))
	for i, e := range elems {
		t, ok := e.(*value.Tensor)
		switch {
		case ok:
			list = append(list, t)
		case value.IsUnknown(e):
			c.Lose("element %d of '%s' is not known", i, name)
			return nil
		default:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): expected a Tensor as element %d of '%s', not %s", c.Short(), i, name, TypeName(e))
			return nil
		}
	}
	return list
}

// Elems returns the elements of a list or tuple argument.
func (c *Call) Elems(name string) ([]value.Value, bool) {
	switch v := c.Value(name).(type) {
	case *value.Tuple:
		return v.Elems, true
	case *value.List:
		if v.Open != nil {
			c.Lose("the length of '%s' is not known", name)
			return nil, false
		}
		return v.Elems, true
	case *value.Unknown, *value.Choice, *value.Abstract:
		c.Lose("argument '%s' is not known", name)
		return nil, false
	case value.NoneType:
		return nil, false
	default:
		return []value.Value{v}, true
	}
}

// Dim returns an int argument, which may be symbolic.
func (c *Call) Dim(name string) symshape.Dim { return c.ToDim(name, c.Value(name)) }

// ToDim reads a value as an int, as Dim does for the argument name, which faults are
// about.
func (c *Call) ToDim(name string, v value.Value) symshape.Dim {
	if d, ok := value.AsDim(c.P, v); ok {
		return d
	}
	switch v := v.(type) {
	case *value.Tensor: // an integer tensor with one element
		if e := v.Contents(); len(e) == 1 {
			if d, ok := value.AsDim(c.P, e[0]); ok {
				return d
			}
		}
		if i := c.Held(v); i != nil {
			return i.D
		}
		return symshape.Dim{}
	case *value.Unknown, *value.Choice, *value.Abstract:
		c.Lose("argument '%s' is not known", name)
		return symshape.Dim{}
	case *value.SymFloat:
		return symshape.Dim{}
	}
	c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be int, not %s", c.Short(), name, TypeName(v))
	return symshape.Dim{}
}

// Int returns an int argument that must be concrete; otherwise the result is lost.
func (c *Call) Int(name string) int {
	d := c.Dim(name)
	if n, ok := DimVal(d); ok {
		return int(n)
	}
	c.Lose("the value of '%s' is not known", name)
	return 0
}

// axisBytes is what a size takes in the shapes, conditions and texts that are made of it.
const axisBytes = 256

// Held is the integer that a tensor without dimensions holds where the data decide it: a number of its own, as int() of it is.
// It is nil for other tensors.
func (c *Call) Held(v *value.Tensor) *value.SymInt {
	t := v.Type()
	if !t.Ranked || len(t.Shape) > 0 || !t.DType.IsIntegral() || len(v.Contents()) > 0 {
		return nil
	}
	return c.Th.DataInt("i", LowestInt(t.DType), v.V)
}

// Ints returns an int[] argument; a single int stands for all of an int[N].
func (c *Call) Ints(name string) []symshape.Dim {
	i := c.index(name)
	v := c.Args[i]
	if v == value.None {
		return nil
	}
	if t, ok := v.(*value.Tensor); ok && t.Type().Rank() == 1 {
		if e := t.Contents(); e != nil {
			v = value.NewTuple(e...)
		}
	}
	p := &c.Sig.Params[i]
	if !IsSequence(v) {
		d := c.ToDim(name, v)
		n := max(p.Size, 1)
		dims := make([]symshape.Dim, n)
		for i := range dims {
			dims[i] = d
		}
		return dims
	}
	var elems []value.Value
	if t, ok := v.(*value.Tuple); ok {
		elems = t.Elems
	} else if elems, ok = c.Elems(name); !ok {
		return nil
	}
	if c.Th.Alloc(axisBytes*len(elems)) != nil { // the run ends at its next step
		c.Lose("argument '%s' has %d elements, too many for the limits", name, len(elems))
		return nil
	}
	dims := make([]symshape.Dim, len(elems))
	for i, e := range elems {
		dims[i] = c.ToDim(name, e)
	}
	if len(dims) == 1 && p.Size > 1 {
		for len(dims) < p.Size {
			dims = append(dims, dims[0])
		}
	}
	return dims
}

// IntsN is Ints for exactly n values; one value stands for all of them.
func (c *Call) IntsN(name string, n int) []symshape.Dim {
	dims := c.Ints(name)
	if len(dims) == 1 {
		for len(dims) < n {
			dims = append(dims, dims[0])
		}
	}
	if len(dims) != n && c.OK() {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): argument '%s' must have %d elements, but it has %d",
			c.Short(), name, n, diag.Count(len(dims)))
	}
	for len(dims) < n {
		dims = append(dims, symshape.Dim{})
	}
	return dims[:n]
}

// Bool returns a bool argument; when it is not decided the result is lost.
func (c *Call) Bool(name string) bool {
	switch v := c.Value(name).(type) {
	case value.Bool:
		return bool(v)
	case value.NoneType:
		return false
	case *value.Unknown, *value.Choice:
		c.Lose("argument '%s' is not known", name)
		return false
	default:
		if t, ok := v.(*value.Tensor); ok && !c.OneElement(t, false) {
			return false
		}
		b, err := c.Th.Truth(v)
		if err != nil {
			c.SetErr(err)
			return false
		}
		val, known := c.Th.Holds(b)
		if !known {
			c.Lose("the value of '%s' is not known", name)
		}
		return val
	}
}

// Surely reports whether a bool argument is known to be true. Unlike Bool it
// loses nothing when that is not known.
func (c *Call) Surely(name string) bool {
	v := c.Value(name)
	if value.IsUnknown(v) {
		return false
	}
	if _, ok := v.(*value.Choice); ok {
		return false
	}
	b, err := c.Th.Truth(v)
	if err != nil {
		c.SetErr(err)
		return false
	}
	val, known := c.Th.Holds(b)
	return known && val
}

// Float returns a number argument; known is false when it is abstract or None.
func (c *Call) Float(name string) (f float64, known bool) {
	v := c.Value(name)
	if t, ok := v.(*value.Tensor); ok {
		if e := t.Contents(); len(e) == 1 {
			return value.AsFloat(e[0])
		}
		return 0, false
	}
	return value.AsFloat(v)
}

// Str returns a str argument, or "" when it is None.
func (c *Call) Str(name string) string {
	v := c.Value(name)
	if v == value.None {
		return ""
	}
	s, ok := value.AsStr(v)
	if !ok {
		c.Lose("the value of '%s' is not known", name)
	}
	return s
}

// DType returns a dtype argument, or def when it is absent or None.
func (c *Call) DType(name string, def dtype.DType) dtype.DType {
	if !c.Has(name) {
		return def
	}
	switch v := c.Value(name).(type) {
	case value.DType:
		return v.D
	case *value.Class:
		switch v.Name {
		case "float":
			return dtype.F64
		case "int":
			return dtype.I64
		case "bool":
			return dtype.Bool
		}
	case *value.Unknown, *value.Choice:
		return dtype.Unknown
	}
	c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be a torch.dtype, not %s", c.Short(), name, TypeName(c.Value(name)))
	return dtype.Unknown
}

// Axis returns an int argument that names one of rank dimensions, counted from 0.
func (c *Call) Axis(name string, rank int) int { return c.AxisOf(c.Dim(name), name, rank) }

// AxisOf is Axis of a number that an argument holds. Of a symbol it is not known which dimension it names, and the result is
// lost; that it names one of them is a condition.
func (c *Call) AxisOf(d symshape.Dim, name string, rank int) int {
	if n, ok := DimVal(d); ok {
		return c.WrapAxis(int(n), rank)
	}
	if d.Expr != nil && c.OK() {
		n := int64(max(rank, 1))
		if !c.AtLeast(d, -n) || !c.AtLeast(c.P.DimSub(c.Const(n-1), d), 0) {
			c.Errorf("IndexError", diag.DimOutOfRange, "dimension %s is out of range for a tensor of %s (expected %d to %d)",
				d, CountWord(rank, "dimension"), -n, n-1)
			return 0
		}
	}
	c.Lose("the value of '%s' is not known", name)
	return 0
}

// WrapAxis counts a possibly negative axis from 0 and checks its range. A 0-dim
// tensor has the axes 0 and -1, as in PyTorch.
func (c *Call) WrapAxis(axis, rank int) int {
	n := max(rank, 1)
	if axis < -n || axis >= n {
		c.Errorf("IndexError", diag.DimOutOfRange, "dimension %d is out of range for a tensor of %s (expected %d to %d)",
			axis, CountWord(rank, "dimension"), -n, n-1)
		return 0
	}
	if axis < 0 {
		axis += n
	}
	return axis
}

// Axes returns an int[] argument of different axes, counted from 0; nil when it
// is absent, None or empty.
func (c *Call) Axes(name string, rank int) []int {
	if !c.Has(name) {
		return nil
	}
	dims := c.Ints(name)
	axes := make([]int, 0, len(dims))
	for _, d := range dims {
		a := c.AxisOf(d, name, rank)
		if !c.OK() {
			return nil
		}
		for _, b := range axes {
			if a == b && c.OK() {
				c.Errorf("RuntimeError", diag.DimOutOfRange, "dimension %d appears twice in '%s'", a, name)
				return nil
			}
		}
		axes = append(axes, a)
	}
	return axes
}

// Shape returns the shape of a ranked tensor; the result is lost when the rank
// is not known.
func (c *Call) Shape(t *value.Tensor) symshape.Shape {
	if t == nil {
		return nil
	}
	if !t.Type().Ranked {
		c.Lose("the number of dimensions of a tensor is not known")
		return nil
	}
	return t.Type().Shape
}

// Rank checks that t has one of the given numbers of dimensions.
func (c *Call) Rank(t *value.Tensor, what string, ranks ...int) bool {
	s := c.Shape(t)
	if !c.OK() || t == nil {
		return false
	}
	want := ""
	for i, r := range ranks {
		if len(s) == r {
			return true
		}
		switch {
		case i == 0:
		case i == len(ranks)-1:
			want += " or "
		default:
			want += ", "
		}
		want += fmt.Sprintf("%dD", r)
	}
	c.Saying(diag.Fact{Kind: diag.WrongRank, Of: t.String(), Wants: int64(ranks[len(ranks)-1])})
	c.Errorf("RuntimeError", diag.RankMismatch, "%s() expects %s of %s, but got %dD: %s", c.Short(), what, want, len(s), t)
	return false
}

// Out makes a tensor result of the type, on the device of the tensor arguments.
func (c *Call) Out(d dtype.DType, shape symshape.Shape) *value.Tensor {
	return c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: shape})
}

// ManyAxes is the number of axes of a tensor above which they count as work, and above which a library may have a limit.
const ManyAxes = 32

// tooManyAxes reports that the library has no arrays of n axes.
func (c *Call) tooManyAxes(n, max int) {
	if c.Op.Has(TakesIndices) {
		c.Errorf("IndexError", diag.RankMismatch, "number of dimensions must be within [0, %d], indexing result would have %d", max, n)
		return
	}
	c.Errorf("ValueError", diag.RankMismatch, "maximum supported dimension for an ndarray is %d, found %d", max, n)
}

// OutType makes a tensor result of any type.
func (c *Call) OutType(t graph.TensorType) *value.Tensor {
	if t.Device == "" {
		t.Device = c.device()
	}
	h := c.Th.Heap()
	if n := len(t.Shape); n > ManyAxes {
		h.Spend(n)
		if max := c.Lib.MaxAxes; max != nil && n > max(c) {
			if c.OK() {
				c.tooManyAxes(n, max(c))
			}
			t.Ranked, t.Shape = false, nil
		}
	}
	out := &value.Tensor{Header: h.Header(), V: c.Th.Graph().NewValue(graph.TensorKind, t, c.Th.Here())}
	c.Outs = append(c.Outs, out)
	return out
}

// View makes a tensor result that shares its memory with base.
func (c *Call) View(base *value.Tensor, shape symshape.Shape) *value.Tensor {
	out := c.Out(base.Type().DType, shape)
	out.ShareStorage(c.Th.Heap(), base)
	return out
}

// Like makes a tensor result of t's shape, ranked or not, with dtype d.
func (c *Call) Like(t *value.Tensor, d dtype.DType) *value.Tensor {
	ty := *t.Type()
	ty.DType, ty.Strides = d, nil
	return c.OutType(ty)
}

func (c *Call) device() string {
	for _, a := range c.Args {
		if t, ok := a.(*value.Tensor); ok && t.Type().Device != "" {
			return t.Type().Device
		}
	}
	return ""
}

// DefaultDType is the dtype of new float tensors (torch.set_default_dtype).
func (c *Call) DefaultDType() dtype.DType {
	if d, ok := dtype.Parse(c.Th.Option("default-dtype")); ok {
		return d
	}
	return dtype.F32
}

// Short is the last part of the name in use: "conv2d".
func (c *Call) Short() string { return shortName(c.Name) }

func shortName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

// Rest returns the arguments that *args collected.
func (c *Call) Rest() []value.Value { return c.Args[c.Sig.Rest].(*value.Tuple).Elems }
