package torch

// This file holds the records of tensors made from Python data and from other
// tensors: tensor, as_tensor, meshgrid, cartesian_prod, complex. Data are read by c.Read, which
// finds shape, kind and elements of nested sequences and reports ragged ones. A tensor that is made
// of data keeps its elements (Convert) as far as the dtype allows, because sizes and indices are
// often written in this way.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The names of the last parameters differ only in what they do to memory.
const tensorSig = "(any data, *, ScalarType? dtype=None, Device? device=None, bool? requires_grad=False, bool? pin_memory=None, any layout=None)"

var constructOps = [...]ops.Op{
	{Names: spelled("torch.tensor"), Sig: tensorSig, Rule: tensorRule, ReadsData: true, Loose: "data",
		Trace: ops.KeepsContents | ops.TakesConstant, Warns: ops.WarnsTensor, Doc: "copies numbers, nested lists of them, or a tensor"},
	{Names: spelled("torch.as_tensor"), Sig: "(any data, *, ScalarType? dtype=None, Device? device=None)", Rule: tensorRule, ReadsData: true,
		Loose: "data",
		Is:    graph.MaybeSelf, Variant: ops.AsTensor,
		Trace: ops.KeepsContents | ops.TakesConstant, Warns: ops.WarnsAsTensor, Doc: "like tensor, without a copy where possible"},
	{Names: spelled("torch.frombuffer"), Sig: "(any buffer, *, ScalarType dtype, any count=-1, any offset=0, any requires_grad=False)",
		Rule: frombufferRule, Loose: "buffer count offset requires_grad", Doc: "the bytes of an object as numbers"},
	{Names: spelled("torch.asarray"),
		Sig: "(any data, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, bool? requires_grad=False)", Rule: tensorRule,
		ReadsData: true, Loose: "data",
		Is: graph.MaybeSelf, Doc: "like tensor, without a copy where possible"},
	{Names: spelled(".new_tensor"),
		Sig: "(Tensor input, any data, *, ScalarType? dtype=None, Device? device=None, bool? requires_grad=False, bool? pin_memory=None, any layout=None)", Rule: tensorRule, ReadsData: true, Doc: "like tensor, on the device of the input"},
	{Names: spelled("torch.from_numpy"), Sig: "(any data)", Rule: tensorRule, Variant: ops.FromNumpy, Loose: "data",
		Trace: ops.KeepsContents | ops.TakesConstant, Warns: ops.WarnsFromArray, Doc: "the memory of an array"},
	{Names: legacyNames(), Sig: "(*args, Device? device=None)", Rule: legacyRule, ReadsData: true,
		Quirks: ops.PlacesResult, Doc: "constructors by type: of sizes without contents, of data with"},
	{Names: spelled("torch.meshgrid torch.functional.meshgrid"), Sig: "(*tensors, str? indexing=None)", Rule: meshgridRule,
		Is: graph.View, Doc: "coordinates as views, one for each vector"},
	{Names: spelled("torch.cartesian_prod torch.functional.cartesian_prod"), Sig: "(*tensors)", Rule: cartesianRule,
		Is: graph.View, Doc: "all combinations, one in each row"},
	{Names: spelled("torch.complex"), Sig: "(Tensor real, Tensor imag)", Rule: complexRule, Out: true, Doc: "complex numbers of two parts"},
	{Names: spelled("torch.polar"), Sig: "(Tensor abs, Tensor angle)", Rule: complexRule, Out: true,
		Doc: "complex numbers of polar coordinates"},
	{Names: spelled("torch.vander"), Sig: "(Tensor x, int? N=None, bool increasing=False)", Rule: vanderRule, Doc: "powers of a vector"},
}

// tensorRule makes a tensor of nested numbers, or copies one; as_tensor returns a tensor itself when
// neither dtype nor device changes it. The dtype is dtype=, for new_tensor its receiver's, else that of
// the data, the default one for empty data. Complex data need a complex dtype, and integers that PyTorch
// does not wrap must fit. from_numpy needs an array.
func tensorRule(c *ops.Call) value.Value {
	data := value.Plain(c.Value("data"))
	// A tensor or an array as data.
	if t, ok := data.(*value.Tensor); ok {
		ty := *t.Type()
		ty.Strides = nil
		if ops.IsArray(t) {
			return c.TensorOfArray(t)
		}
		if c.Is(ops.FromNumpy) {
			return c.Errorf("TypeError", diag.TypeMismatch, "from_numpy() needs a numpy.ndarray, not a Tensor")
		}
		if c.Is(ops.AsTensor) {
			if !c.HasParam("dtype") || c.DType("dtype", ty.DType) == ty.DType && c.DeviceArg("device") == "" {
				// A subclass is converted to a Tensor, hence no alias.
				if t.Class == nil {
					return t
				}
			}
		}
		if c.HasParam("input") { // new_tensor keeps the dtype of its receiver
			if x := c.Tensor("input"); x != nil {
				ty.DType = x.Type().DType
			}
		}
		out := c.MadeType(ty)
		if out == nil {
			return nil
		}
		c.Convert(out, t.Contents())
		return out
	}
	// An unknown value is some tensor of unknown shape.
	if u, ok := data.(*value.Unknown); ok && !u.One && !c.HasParam("input") { // a tensor all the same: what says its shape later is believed
		out := c.MadeType(graph.TensorType{DType: dtype.Unknown})
		if out == nil {
			return nil
		}
		return out
	}
	if c.Is(ops.FromNumpy) {
		return c.Errorf("TypeError", diag.TypeMismatch, "from_numpy() needs a numpy.ndarray, not %s", ops.TypeName(c.Value("data")))
	}
	lit := c.Read(c.Value("data"), 0)
	if !c.OK() {
		return nil
	}
	switch {
	// Numbers of unknown kind.
	case lit.Mixed:
		lit.Kind = dtype.Unknown
	case lit.Kind == dtype.Unknown:
		lit.Kind = c.DefaultDType()
	}
	if c.Has("dtype") {
		want := c.DType("dtype", lit.Kind)
		if lit.Kind.IsComplex() && !want.IsComplex() {
			return c.Errorf("RuntimeError", diag.TypeMismatch, "%s(): complex numbers cannot be written into a tensor of %s", c.Short(), want)
		}
		// Each number must fit an integer dtype, but for negative ones that PyTorch wraps.
		for _, e := range lit.Elems {
			f, isFloat := e.(value.Float)
			n, isInt := e.(value.Int)
			switch {
			case isInt && n < 0 && want == dtype.U64:
				return c.Errorf("OverflowError", diag.BadValue, "%s(): %d does not fit into %s", c.Short(), int64(n), want)
			case !want.IsIntegral() || ops.FitsDType(e, want):
			case isInt:
				return c.Errorf("RuntimeError", diag.BadValue, "%s(): %d does not fit into %s", c.Short(), int64(n), want)
			case isFloat && !c.Torch1():
				return c.Errorf("RuntimeError", diag.BadValue, "%s(): %g does not fit into %s", c.Short(), float64(f), want)
			}
		}
	}
	if c.HasParam("input") { // new_tensor keeps the dtype of its receiver
		if t := c.Tensor("input"); t != nil {
			lit.Kind = t.Type().DType
		}
	}
	out := made(c, lit.Kind, lit.Shape)
	if out == nil {
		return nil
	}
	if !lit.Lost {
		c.Convert(out, append([]value.Value{}, lit.Elems...))
	}
	return out
}

// legacyTypes are the constructors by type. Each name is a dtype with the suffix Tensor; Tensor
// alone stands for the default one.
var legacyTypes = [...]string{"Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "ByteTensor", "CharTensor",
	"ShortTensor", "IntTensor", "LongTensor", "BoolTensor"}

// legacyNames are the constructors of PyTorch before 0.4, torch.FloatTensor(2, 3) and its kin, for the CPU and
// for CUDA.
func legacyNames() []string {
	var names []string
	for _, t := range legacyTypes {
		names = append(names, "torch."+t+".__new__", "torch.cuda."+t+".__new__")
	}
	return names
}

// legacyRule: the class's name says dtype and device; torch.Tensor is that of the default dtype.
// The names of CUDA have the device in them.
func legacyRule(c *ops.Call) value.Value {
	name := strings.TrimSuffix(c.Name, ".__new__")
	d, ok := dtype.ParseTensorType(name)
	if !ok || strings.HasSuffix(name, ".Tensor") {
		d = c.DefaultDType()
	}
	dev := ""
	if strings.HasPrefix(name, "torch.cuda.") {
		dev = "cuda"
	}
	return legacy(c, name, d, dev)
}

// newRule is x.new(...): the old constructor of x's type.
func newRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return legacy(c, "new", t.Type().DType, t.Type().Device)
}

// legacy makes a tensor of sizes, given one by one or as torch.Size, or of data. One tensor gives a
// view of it, one list is data, one torch.Size or ints are sizes. No arguments give an empty
// vector. d is the dtype and dev the device, which is empty for the default one.
func legacy(c *ops.Call, name string, d dtype.DType, dev string) value.Value {
	args, _ := c.Elems("args")
	var data value.Value
	if len(args) == 1 {
		data = value.Plain(args[0])
	}
	if t, ok := data.(*value.Tensor); ok {
		if x := t.Type().DType; x != d && x != dtype.Unknown && d != dtype.Unknown {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s: expected a tensor of %s, but got %s", name, d, t)
		}
		return aliasOf(c, t)
	}
	if t, ok := data.(*value.Tuple); ok && t.Class != nil && t.Class.Name == "Size" {
		args, data = t.Elems, nil
	}
	if _, isList, _ := c.Sequence(data); isList {
		lit := c.Read(data, 0)
		if !c.OK() {
			return nil
		}
		out := c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: lit.Shape, Device: dev})
		if !lit.Lost {
			c.Convert(out, append([]value.Value{}, lit.Elems...))
		}
		return out
	}
	s := make(symshape.Shape, len(args))
	for i, a := range args {
		if t, ok := a.(*value.Tensor); ok && ops.IsIndex(t) {
			return c.Lose("a size is a tensor")
		}
		if ops.NumberKind(a) != dtype.KindInt {
			return c.Errorf("TypeError", diag.TypeMismatch, "%s: sizes must be ints and data a sequence, not %s", name, ops.TypeName(a))
		}
		if s[i] = c.ToDim("size", a); !c.AtLeast(s[i], 0) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s: size %s at dimension %d is negative", name, s[i], i)
		}
	}
	if len(s) == 0 {
		s = symshape.Shape{c.Const(0)}
	}
	return c.OutType(graph.TensorType{DType: d, Ranked: true, Shape: s, Device: dev})
}

// vectors reads *args of tensors, which may also come as one list. The second result is false after
// a report, and where the tensors are not known one by one.
func vectors(c *ops.Call) ([]*value.Tensor, bool) {
	args, ok := c.Elems("tensors")
	if !ok {
		return nil, false
	}
	if len(args) == 1 && ops.IsSequence(args[0]) {
		if l, ok := args[0].(*value.List); ok && l.Open != nil {
			c.Lose("the number of tensors is not known")
			return nil, false
		}
		args, _, _ = c.Sequence(args[0])
	}
	ts := make([]*value.Tensor, len(args))
	for i, a := range args {
		t, ok := a.(*value.Tensor)
		if !ok {
			if value.IsUnknown(a) {
				c.Lose("an argument is not known")
			} else {
				c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument %d must be a Tensor, not %s", c.Short(), i+1, ops.TypeName(a))
			}
			return nil, false
		}
		ts[i] = t
	}
	return ts, true
}

// vectorLengths returns the number of elements of each of a list of vectors; scalars
// count as one element where they are allowed. All must have one dtype. False after a report.
func vectorLengths(c *ops.Call, ts []*value.Tensor, scalars bool) (symshape.Shape, bool) {
	out := make(symshape.Shape, len(ts))
	for i, t := range ts {
		s := c.Shape(t)
		if !c.OK() {
			return nil, false
		}
		switch {
		case len(s) == 1:
			out[i] = s[0]
		case len(s) == 0 && scalars:
			out[i] = c.Const(1)
		default:
			c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs vectors, but argument %d is %s", c.Short(), i+1, t)
			return nil, false
		}
		if a, b := ts[0].Type().DType, t.Type().DType; a != b && a != dtype.Unknown && b != dtype.Unknown {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() needs tensors of one dtype, but argument 1 is %s and argument %d is %s", c.Short(),
				ts[0], i+1, t)
			return nil, false
		}
	}
	return out, true
}

// meshgridRule gives one tensor for each vector, all of the shape of their lengths. They are views that repeat
// with stride 0. indexing='xy', as NumPy's default has it, exchanges the first two axes; PyTorch's default is
// 'ij'. The dtype of each is that of its vector.
func meshgridRule(c *ops.Call) value.Value {
	ts, ok := vectors(c)
	if !ok {
		return nil
	}
	if len(ts) == 0 {
		return c.Errorf("RuntimeError", diag.BadCall, "meshgrid() needs at least one tensor")
	}
	xy := false
	switch mode := c.Str("indexing"); mode {
	case "", "ij":
	case "xy":
		xy = len(ts) >= 2
	default:
		return c.Errorf("RuntimeError", diag.BadValue, "meshgrid(): indexing must be 'xy' or 'ij', not '%s'", mode)
	}
	sizes, ok := vectorLengths(c, ts, true)
	if !ok {
		return nil
	}
	outs := make([]value.Value, len(ts))
	for i, t := range ts {
		// For each axis of the result: the vector itself, or an axis of stride 0.
		axes := make([]ops.AxisMap, len(ts))
		for k := range ts {
			at := k
			if xy && k < 2 {
				at = 1 - k
			}
			if k == i && len(t.Type().Shape) == 1 {
				axes[at] = ops.KeepAxis(t.Type().Shape, 0)
			} else {
				axes[at] = ops.NewAxis(sizes[k], c.P.Const(0))
			}
		}
		outs[i] = c.ViewOf(t, axes, nil)
	}
	return value.NewTuple(outs...)
}

// cartesianRule: one row for each combination, one column for each vector; of a single vector it is that vector
// itself. The vectors must have one dimension and one dtype.
func cartesianRule(c *ops.Call) value.Value {
	ts, ok := vectors(c)
	if !ok {
		return nil
	}
	if len(ts) == 0 {
		return c.Errorf("RuntimeError", diag.BadCall, "cartesian_prod() needs at least one tensor")
	}
	sizes, ok := vectorLengths(c, ts, false)
	if !ok {
		return nil
	}
	if len(ts) == 1 {
		return aliasOf(c, ts[0])
	}
	// The number of rows is the product of the lengths.
	return c.Out(ts[0].Type().DType, symshape.Shape{c.Numel(sizes), c.Const(int64(len(ts)))})
}

// complexRule is that of torch.complex and torch.polar: two real tensors of one dtype, no promotion, of which
// the complex dtype is twice as wide. The two broadcast.
func complexRule(c *ops.Call) value.Value {
	first, second := "real", "imag"
	accept := ops.RealFloats
	if c.HasParam("abs") {
		first, second = "abs", "angle"
		accept = byVersion(c, 1<<dtype.F32|1<<dtype.F64, accept)
	}
	a, b := c.Tensor(first), c.Tensor(second)
	if a == nil || b == nil || !c.Accepts(accept&^(1<<dtype.BF16), a.Type().DType) || !sameDType(c, a, b, second) {
		return nil
	}
	d := a.Type().DType.Complex()
	if c.OutDType != dtype.Unknown && c.OutDType != d && d != dtype.Unknown && c.OutMismatch(d) {
		return nil
	}
	return c.Pointwise(d, nil, a, b)
}

// vanderRule: N powers of each element, by default as many as there are elements. The matrix is [n,
// N]. Integers give int64.
func vanderRule(c *ops.Call) value.Value {
	t := c.Tensor("x")
	if t == nil || !c.Rank(t, "a vector", 1) {
		return nil
	}
	n := t.Type().Shape[0]
	m := n
	if c.Has("N") {
		m = c.Dim("N")
		if !c.AtLeast(m, 0) {
			return c.Errorf("RuntimeError", diag.BadValue, "vander(): N must not be negative, but is %s", m)
		}
	}
	d := t.Type().DType
	if d.IsIntegralOrBool() {
		d = dtype.I64
	}
	return c.Out(d, symshape.Shape{n, m})
}

// frombufferRule knows how many numbers there are only where they are counted: the
// length of the buffer is no part of its type, except that of bytes. The rest of a buffer is not
// known.
func frombufferRule(c *ops.Call) value.Value {
	d := c.DType("dtype", dtype.Unknown)
	var n symshape.Dim
	if k, ok := value.AsDim(c.P, c.Value("count")); ok {
		if v, known := ops.DimVal(k); !known || v > 0 {
			n = k
		}
	}
	if !c.OK() {
		return nil
	}
	return c.Out(d, symshape.Shape{n})
}
