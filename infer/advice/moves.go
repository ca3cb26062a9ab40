package advice

// This file is the table of moves: other arguments that may make a failing call
// right. They stand in the order of how telling it is when one works. A move is found by the code
// of the fault and the name of what was called, tried by calling again with the other arguments,
// and proposed only if that call and what follows it work (advice.go). Its title says what is
// missing, its edits change the source. The order matters where several work: the first is
// proposed.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// A move proposes other arguments for faults of some codes in some callees.
type move struct {
	codes  []diag.Code
	callee []string // last parts of names; a * at the end stands for any rest; none: all
	find   func(s *Site) []advice
	// trace are traits that the record of the callee has.
	trace ops.TraceTraits
}

var (
	shapes = []diag.Code{diag.ShapeMismatch, diag.RankMismatch, diag.BadValue}
	losses = []string{"*_loss", "*Loss", "cross_entropy", "binary_cross_entropy*", "kl_div"}
)

// moveTable gives the moves; a variable would be initialised in a circle.
func moveTable() []move {
	return []move{
		{codes: []diag.Code{diag.ReshapeMismatch}, callee: []string{"view"}, find: reshapeForView},
		{codes: []diag.Code{diag.ReshapeMismatch, diag.InvalidSize}, trace: ops.ReshapesByNumbers, find: otherViewSizes},
		{codes: []diag.Code{diag.DTypeMismatch}, find: otherDType},
		{codes: []diag.Code{diag.TypeMismatch}, find: firstOfTuple},
		{codes: shapes, callee: []string{"conv*", "Conv*"}, find: channelsFirst},
		{codes: shapes, callee: []string{"conv*", "Conv*", "*Norm*", "MaxPool*", "AvgPool*", "*Pad*", "Adaptive*", "*pool*", "Upsample", "interpolate"},
			find: batchDimension},
		{codes: shapes, callee: []string{"*Norm1d", "Conv1d", "conv1d"}, find: swapLastTwo},
		{codes: shapes, callee: losses, find: lossShapes},
		{codes: shapes, callee: []string{"matmul", "bmm", "mm", "__matmul__", "__rmatmul__", "baddbmm", "addmm"}, find: transposed},
		{codes: []diag.Code{diag.RankMismatch}, callee: []string{"bmm", "mm"}, find: matmulForBatches},
		{codes: shapes, callee: []string{"linear", "Linear"}, find: flattened},
		{codes: []diag.Code{diag.ShapeMismatch}, callee: []string{"cat", "concat", "concatenate"}, find: otherCatDim},
		{codes: shapes, callee: []string{"arithmetic", "add", "sub", "mul", "div", "where", "masked_fill", "expand*", "maximum", "minimum", "pow"},
			find: unsqueezed},
		{codes: []diag.Code{diag.DimOutOfRange}, find: lastDim},
	}
}

// fits reports whether a move is for a fault of the site's code in its callee.
func (m *move) fits(s *Site) bool {
	if !slices.Contains(m.codes, s.diag.Code) {
		return false
	}
	if m.trace != 0 {
		if op, ok := catalog.Lookup(s.name); !ok || !op.Trace.Has(m.trace) {
			return false
		}
	}
	short := s.short()
	return m.callee == nil || slices.ContainsFunc(m.callee, func(p string) bool { return matches(p, short) })
}

// matches compares a name with a pattern in which * stands for any text, also for none.
func matches(pattern, name string) bool {
	head, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for name = name[len(head):]; ; name = name[1:] {
		if matches(rest, name) {
			return true
		}
		if name == "" {
			return false
		}
	}
}

// tensor is operand i when it is a tensor of known rank, or nil.
func (s *Site) tensor(i int) *value.Tensor {
	if i < len(s.vals) {
		if t, ok := s.vals[i].(*value.Tensor); ok && t.Type().Ranked {
			return t
		}
	}
	return nil
}

// with makes the call with operand i replaced, and gives its result or its error.
func (s *Site) with(i int, v value.Value) (value.Value, error) {
	vals := append([]value.Value(nil), s.vals...)
	vals[i] = v
	return s.redo(vals)
}

// method proposes to call a method on operand i, as in x.unsqueeze(0).
func (s *Site) method(i int, why, name string, args ...value.Value) advice {
	texts := make([]string, len(args))
	for j, a := range args {
		texts[j], _ = s.host.Repr(a)
	}
	call := name + "(" + strings.Join(texts, ", ") + ")"
	a := advice{title: call + " is missing" + s.on(i) + why}
	if i < len(s.exprs) && s.exprs[i] != nil {
		a.edits = afterwards(s.exprs[i], "."+call)
	}
	a.try = func() (value.Value, error) {
		// A target of an assignment cannot be the result of a call.
		if s.target && i == 0 {
			return nil, errNoAdvice
		}
		v, err := s.host.CallMethod(s.vals[i], name, args...)
		if err != nil {
			return nil, err
		}
		return s.with(i, v)
	}
	return a
}

// on names operand i for a title: by its text where that is short, by the layer that takes it, or
// not at all.
func (s *Site) on(i int) string {
	if i < len(s.exprs) && s.exprs[i] != nil {
		if t := s.host.SpanText(s.exprs[i].Span()); len(t) <= 24 && !strings.ContainsAny(t, "\n\r") {
			return " on " + t
		}
	}
	if s.inner {
		return " before " + s.layer.Class.Name
	}
	return ""
}

// afterwards are the edits that apply a suffix to an expression, with parentheses where it needs
// them.
func afterwards(e ast.Expr, suffix string) []diag.Edit {
	switch e.(type) {
	case *ast.Name, *ast.Attribute, *ast.Call, *ast.Subscript:
		return []diag.Edit{insert(e.Span().End, suffix)}
	}
	return []diag.Edit{insert(e.Span().Start, "("), insert(e.Span().End, ")"+suffix)}
}

// otherDType converts one operand: to long, float or bool, in this order for all operands.
func otherDType(s *Site) []advice {
	var out []advice
	for _, name := range [...]string{"long", "float", "bool"} {
		for i := range s.vals {
			if t := s.tensor(i); t != nil {
				out = append(out, s.method(i, "", name))
			}
		}
	}
	return out
}

// firstOfTuple takes the first element of a tuple, as an LSTM returns one.
func firstOfTuple(s *Site) []advice {
	var out []advice
	for i, v := range s.vals {
		t, ok := v.(*value.Tuple)
		if !ok || len(t.Elems) == 0 {
			continue
		}
		a := advice{title: "the first element of the tuple is the tensor: [0] is missing" + s.on(i)}
		if s.exprs[i] != nil {
			a.edits = afterwards(s.exprs[i], "[0]")
		}
		a.try = func() (value.Value, error) { return s.with(i, t.Elems[0]) }
		out = append(out, a)
	}
	return out
}

// ints are the arguments of a method.
func ints(list ...int) []value.Value {
	out := make([]value.Value, len(list))
	for i, n := range list {
		out[i] = value.Int(n)
	}
	return out
}

// channelsFirst permutes images whose channels are last.
func channelsFirst(s *Site) []advice {
	x := s.tensor(0)
	if x == nil {
		return nil
	}
	// Not every size that happens to fit is meant: images have few channels, or are square.
	shape := x.Type().Shape
	if r := len(shape); r >= 3 {
		last := shape[r-1]
		if !ops.IsConst(last, 1) && !ops.IsConst(last, 3) && !ops.IsConst(last, 4) &&
			(shape[r-2].Expr == nil || shape[r-2].Expr != shape[r-3].Expr || last.Expr == shape[r-2].Expr) {
			return nil
		}
	}
	const why = ": the channels come before the image's height and width"
	switch x.Type().Rank() {
	case 3:
		if strings.Contains(s.short(), "2d") {
			return []advice{s.method(0, why, "permute", ints(2, 0, 1)...)}
		}
	case 4:
		if strings.Contains(s.short(), "2d") {
			return []advice{s.method(0, why, "permute", ints(0, 3, 1, 2)...)}
		}
	case 5:
		return []advice{s.method(0, why, "permute", ints(0, 4, 1, 2, 3)...)}
	}
	return nil
}

// batchDimension adds the dimension of the batch, or that of the one channel, in front.
func batchDimension(s *Site) []advice {
	if s.tensor(0) == nil {
		return nil
	}
	out := []advice{s.method(0, ": it has no batch dimension", "unsqueeze", ints(0)...)}
	if strings.HasPrefix(strings.ToLower(s.short()), "conv") {
		out = append(out, s.method(0, ": it has no dimension of channels", "unsqueeze", ints(1)...))
	}
	return out
}

// swapLastTwo exchanges the last two axes of (batch, length, channels).
func swapLastTwo(s *Site) []advice {
	if x := s.tensor(0); x == nil || x.Type().Rank() != 3 {
		return nil
	}
	return []advice{s.method(0, ": the channels are dimension 1", "transpose", ints(1, 2)...)}
}

// lossShapes drops or adds a dimension of size 1, or moves the classes to axis 1, where losses of
// classes have them.
func lossShapes(s *Site) []advice {
	x, y := s.tensor(0), s.tensor(1)
	if x == nil || y == nil {
		return nil
	}
	var out []advice
	xr, yr := x.Type().Rank(), y.Type().Rank()
	// Axes of size 1, from the last on; axis 0 is the batch.
	ones := func(i int, t *value.Tensor) {
		for axis := t.Type().Rank() - 1; axis > 0; axis-- {
			if ops.IsConst(t.Type().Shape[axis], 1) {
				out = append(out, s.method(i, "", "squeeze", ints(axis)...))
			}
		}
	}
	if strings.Contains(s.short(), "ross_entropy") && !strings.Contains(s.short(), "binary") || s.short() == "CrossEntropyLoss" ||
		strings.HasPrefix(strings.ToLower(s.short()), "nll") {
		if yr == xr {
			ones(1, y)
		}
		switch xr {
		case 3:
			out = append(out, s.method(0, ": the classes are dimension 1", "transpose", ints(1, 2)...))
		case 4:
			out = append(out, s.method(0, ": the classes are dimension 1", "permute", ints(0, 3, 1, 2)...))
		}
		return out
	}
	// One operand has an axis more.
	if yr == xr+1 {
		ones(1, y)
	} else if xr == yr+1 {
		ones(0, x)
		for axis := xr - 1; axis >= 0; axis-- {
			if ops.IsConst(x.Type().Shape[axis], 1) {
				out = append(out, s.method(1, "", "unsqueeze", ints(axis)...))
			}
		}
	}
	return out
}

// transposed swaps the last two dimensions of an operand, first of the second one, which is mostly
// a weight.
func transposed(s *Site) []advice {
	var out []advice
	for _, i := range [...]int{1, 0} {
		if t := s.tensor(i); t != nil && t.Type().Rank() >= 2 {
			out = append(out, s.method(i, "", "transpose", ints(-2, -1)...))
		}
	}
	return out
}

// matmulForBatches calls the general function instead of one for batches.
func matmulForBatches(s *Site) []advice {
	call, ok := s.node.(*ast.Call)
	if !ok || len(s.vals) != 2 {
		return nil
	}
	attr, ok := call.Func.(*ast.Attribute)
	if !ok {
		return nil
	}
	return []advice{{
		title: "use matmul, which takes any number of dimensions",
		edits: []diag.Edit{{At: attr.Attr.Span(), NewText: "matmul"}},
		try:   func() (value.Value, error) { return s.host.CallMethod(s.vals[0], "matmul", s.vals[1]) },
	}}
}

// flattened makes one dimension of all but the batch, by flatten(1), or by a layer nn.Flatten() in
// a Sequential.
func flattened(s *Site) []advice {
	x := s.tensor(0)
	if x == nil || x.Type().Rank() < 3 {
		return nil
	}
	a := s.method(0, "", "flatten", ints(1)...)
	if s.inner {
		a.title = "nn.Flatten() is missing before the " + s.layer.Class.Name + " layer"
		a.edits = s.layerBefore("nn.Flatten()")
	}
	return []advice{a}
}

// otherCatDim tries the other dimensions.
func otherCatDim(s *Site) []advice {
	if len(s.vals) == 0 {
		return nil
	}
	elems, ok := listed(s.vals[0])
	if !ok || len(elems) == 0 {
		return nil
	}
	t, ok := elems[0].(*value.Tensor)
	if !ok || !t.Type().Ranked {
		return nil
	}
	var out []advice
	for axis := 1; axis <= t.Type().Rank(); axis++ { // 1 is the usual one, 0 comes last
		out = append(out, s.dim(axis%t.Type().Rank(), ""))
	}
	return out
}

// listed gives the elements of a list or tuple; ok is false for others and for lists of unknown
// length.
func listed(v value.Value) ([]value.Value, bool) {
	switch v := v.(type) {
	case *value.Tuple:
		return v.Elems, true
	case *value.List:
		return v.Elems, v.Open == nil
	}
	return nil, false
}

// dim proposes another value for the argument dim: given by name, or the last
// of two or three operands, or not given at all.
func (s *Site) dim(n int, why string) advice {
	v := value.Int(n)
	a := advice{title: fmt.Sprintf("dim should be %d%s", n, why)}
	vals := append([]value.Value(nil), s.vals...)
	redo := s.redo
	at := -1
	for i, name := range s.names {
		if name == "dim" || name == "axis" {
			// The argument by name is among the last operands.
			at = len(vals) - len(s.names) + i
		}
	}
	if at < 0 && len(s.names) == 0 && len(vals) >= 2 {
		if _, ok := value.AsInt(vals[1]); ok {
			at = 1
		}
	}
	switch {
	case at >= 0:
		vals[at] = v
		a.edits = s.literal(s.exprs[at], v)
	default:
		redo = func(vals []value.Value) (value.Value, error) { return s.redoNamed(vals, "dim", v) }
		if call, ok := s.node.(*ast.Call); ok && len(s.exprs) > 0 {
			if last := lastArgument(call); last != nil {
				a.edits = []diag.Edit{insert(last.Span().End, fmt.Sprintf(", dim=%d", n))}
			}
		}
	}
	a.try = func() (value.Value, error) { return redo(vals) }
	return a
}

// lastArgument is the last argument that is written in a call, nil without any.
func lastArgument(c *ast.Call) ast.Expr {
	var last ast.Expr
	for _, a := range c.Args {
		last = a
	}
	for _, k := range c.Keywords {
		last = k.Value
	}
	return last
}

// unsqueezed adds a dimension of size 1 to the operand that has fewer: one fewer than the others,
// at any place but the first.
func unsqueezed(s *Site) []advice {
	low, high := -1, 0
	for i := range s.vals {
		t := s.tensor(i)
		if t == nil {
			continue
		}
		r := t.Type().Rank()
		if low < 0 || r < s.tensor(low).Type().Rank() {
			low = i
		}
		high = max(high, r)
	}
	if low < 0 || s.tensor(low).Type().Rank() != high-1 {
		return nil
	}
	var out []advice
	r := s.tensor(low).Type().Rank()
	for axis := r; axis > 0; axis-- { // 0 is what broadcasting does itself
		n := axis
		if axis == r {
			n = -1
		}
		out = append(out, s.method(low, "", "unsqueeze", ints(n)...))
	}
	return out
}

// lastDim takes the last dimension where the one asked for is just past it.
func lastDim(s *Site) []advice {
	var x *value.Tensor
	for i := range s.vals {
		if x == nil {
			x = s.tensor(i)
		}
	}
	if x == nil || x.Type().Rank() == 0 {
		return nil
	}
	r := x.Type().Rank()
	for i, v := range s.vals {
		if n, ok := value.AsInt(v); ok && n == int64(r) {
			last := value.Int(r - 1)
			return []advice{{
				title: fmt.Sprintf("the last dimension is %d", r-1), edits: s.literal(s.exprs[i], last),
				try: func() (value.Value, error) { return s.with(i, last) },
			}}
		}
	}
	return nil
}
