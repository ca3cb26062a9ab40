package infer

// This file proposes sizes that operands of a failing call should have had: the
// channels of the two sides of a sum, and numbers of heads that divide.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A layerOutput is the parameter of a constructor that says how large an axis of
// the result of an operation is.
type layerOutput struct {
	op, class, param string // class: pattern of matches
	at               int    // the place of the parameter
}

var layerOutputs = [...]layerOutput{
	{"torch.nn.functional.conv*", "Conv*d", "out_channels", 1},
	{"torch.conv*", "Conv*d", "out_channels", 1},
	{"torch.nn.functional.linear", "Linear", "out_features", 1},
}

// sums are the callees whose operands are the two sides of a skip connection, or
// are combined like them.
var sums = []string{"arithmetic", "add", "sub", "mul", "div", "maximum", "minimum"}

// maxTrace is how many operations lie at most between a layer and a sum.
const maxTrace = 24

// otherChannels proposes for a sum of tensors that differ in one size that the
// layer of one side makes as many as the other has.
func (s *site) otherChannels() *faultNumbers {
	a, b := s.tensor(0), s.tensor(1)
	if a == nil || b == nil || len(s.vals) != 2 || s.diag.Code != diag.ShapeMismatch {
		return nil
	}
	if a.Type().Rank() != b.Type().Rank() || !slices.Contains(sums, s.short()) {
		return nil
	}
	axis := -1
	for i, d := range a.Type().Shape {
		e := b.Type().Shape[i]
		if d.Expr == e.Expr || ops.IsConst(d, 1) || ops.IsConst(e, 1) {
			continue
		}
		if axis >= 0 {
			return nil
		}
		axis = i
	}
	if axis < 0 {
		return nil
	}
	na, ok := a.Type().Shape[axis].Expr.Const()
	nb, isConst := b.Type().Shape[axis].Expr.Const()
	if !ok || !isConst {
		return nil
	}
	f := &faultNumbers{diag: s.diag}
	for _, side := range [...]struct {
		v      *graph.Value
		n, use int64
	}{{b.V, nb, na}, {a.V, na, nb}} {
		if c := s.in.layerMaking(side.v, axis, side.n); c != nil {
			c.n = side.use
			c.title = fmt.Sprintf("%s should be %d, not %d", c.title, side.use, side.n)
			f.changes = append(f.changes, *c)
		}
	}
	return f
}

// layerMaking finds the layer that made an axis of a tensor as large as it is, and
// where the source says so.
func (in *Interp) layerMaking(v *graph.Value, axis int, n int64) *numberChange {
	for range maxTrace {
		if v == nil || v.Def == nil {
			return nil
		}
		var input, weight *graph.Value
		for _, a := range v.Def.Args {
			x, ok := a.Value.(*graph.Value)
			if !ok {
				continue
			}
			switch a.Name {
			case "input", "self":
				input = x
			case "weight":
				weight = x
			}
		}
		for i := range layerOutputs {
			if l := &layerOutputs[i]; matches(l.op, v.Def.Op) && weight != nil {
				if axis != v.Type.Rank()-max(1, weight.Type.Rank()-1) { // it is none of the channels
					return nil
				}
				return in.layerOutput(l, weight, n)
			}
		}
		if input == nil || input.Type.Rank() != v.Type.Rank() {
			return nil
		}
		if m, ok := input.Type.Shape[axis].Expr.Const(); !ok || m != n {
			return nil
		}
		v = input
	}
	return nil
}

func (in *Interp) layerOutput(l *layerOutput, weight *graph.Value, n int64) *numberChange {
	if !weight.Param || !weight.At.IsValid() {
		return nil
	}
	call, _ := in.nodeAt(weight.At).(*ast.Call)
	if call == nil || !matches(l.class, lastName(call.Func)) {
		return nil
	}
	e := keywordExpr(call, l.param)
	if e == nil {
		for i, a := range call.Args {
			if _, star := a.(*ast.Starred); star {
				return nil
			}
			if i == l.at {
				e = a
			}
		}
	}
	if e == nil {
		return nil
	}
	at := in.numeralOf(e, n)
	if at == nil {
		return nil
	}
	kernel, _ := weight.Type.Shape[len(weight.Type.Shape)-1].Expr.Const()
	return &numberChange{title: in.numeralName(at, l.param), at: at, usual: weight.Type.Rank() > 2 && kernel == 1}
}

// numeralName names a number of the source: out_channels on line 12.
func (in *Interp) numeralName(at *numeral, param string) string {
	if at.name != "" {
		param = at.name
	}
	pos := in.files.Position(at.expr.Span().Start)
	if in.main != nil && pos.File != in.main.File {
		return fmt.Sprintf("%s on line %d of %s", param, pos.Line, filepath.Base(pos.File.Name))
	}
	return fmt.Sprintf("%s on line %d", param, pos.Line)
}

// headParams are the constructors that split a size into heads.
var headParams = [...]struct{ class, size, heads string }{
	{"MultiheadAttention", "embed_dim", "num_heads"},
	{"TransformerEncoderLayer", "d_model", "nhead"},
	{"TransformerDecoderLayer", "d_model", "nhead"},
	{"Transformer", "d_model", "nhead"},
}

// headsOfLayer proposes a number of heads that divides for a layer that refuses another.
func (s *site) headsOfLayer() *faultNumbers {
	class, ok := s.callee.(*value.Class)
	if !ok || s.diag.Code != diag.BadValue || !class.Prelude || !strings.Contains(s.diag.Msg, "divisible") {
		return nil
	}
	for _, h := range headParams {
		if h.class != class.Name {
			continue
		}
		size, heads := s.argument(class, h.size), s.argument(class, h.heads)
		if size < 0 || heads < 0 {
			return nil
		}
		n, ok := value.AsInt(s.vals[size])
		m, isInt := value.AsInt(s.vals[heads])
		if !ok || !isInt {
			return nil
		}
		return s.otherHeads(s.exprs[heads], h.heads, n, m, func(k int64) bool {
			return s.in.works(func() (value.Value, error) { return s.with(heads, value.Int(k)) })
		})
	}
	return nil
}

// argument is the operand that is a parameter of a constructor, or -1.
func (s *site) argument(class *value.Class, name string) int {
	n := len(s.vals) - len(s.names)
	for i, k := range s.names {
		if k == name {
			return n + i
		}
	}
	for i, p := range constructorParams(class) {
		if p.name == name && i < n {
			return i
		}
	}
	return -1
}

// headsOfView proposes a number of heads that divides where a view splits what the
// other sizes leave into h heads of size // h each.
func (s *site) headsOfView() *faultNumbers {
	x := s.tensor(0)
	if x == nil || s.diag.Code != diag.ReshapeMismatch || len(s.names) > 0 || x.Type().Rank() == 0 {
		return nil
	}
	switch s.short() {
	case "view", "reshape":
	default:
		return nil
	}
	sizes, exprs := s.vals[1:], s.exprs[1:]
	if len(sizes) == 1 {
		t, ok := sizes[0].(*value.Tuple)
		e, isTuple := exprs[0].(*ast.Tuple)
		if !ok || !isTuple || len(e.Elts) != len(t.Elems) {
			return nil
		}
		sizes, exprs = t.Elems, e.Elts
	}
	i, n, a := s.headsAt(x, sizes, exprs)
	if i >= 0 {
		try := func(k int64) bool {
			return s.in.works(func() (value.Value, error) {
				vals := append([]value.Value{x}, sizes...)
				vals[1+i], vals[2+i] = value.Int(k), value.Int(n/k)
				return s.redo(vals)
			})
		}
		name := s.in.SpanText(exprs[i].Span())
		if len(name) > 24 || strings.ContainsAny(name, "\n\r") {
			name = "the number of heads"
		}
		return s.otherHeads(exprs[i], name, n, a, try)
	}
	return nil
}

// headsAt finds the number of heads among the sizes of a view: the only one, a,
// that is followed by n // a, where the two are to be n. A number that is written
// there, and a size that the tensor has at this place, is none of heads.
func (s *site) headsAt(x *value.Tensor, sizes []value.Value, exprs []ast.Expr) (at int, n, a int64) {
	at = -1
	for i := 0; i+1 < len(sizes); i++ {
		k, known := s.left(x, sizes, i)
		h, ok := value.AsInt(sizes[i])
		size, isInt := value.AsInt(sizes[i+1])
		if !known || !ok || !isInt || h <= 1 || k/h != size || k%h == 0 || exprs[i] == nil || isNumeral(exprs[i]) ||
			i < x.Type().Rank() && ops.IsConst(x.Type().Shape[i], h) {
			continue
		}
		if at >= 0 {
			return -1, 0, 0
		}
		at, n, a = i, k, h
	}
	return at, n, a
}

// left is what all sizes of a view but two neighbours leave of x.
func (s *site) left(x *value.Tensor, sizes []value.Value, i int) (int64, bool) {
	p, n := s.in.pool, s.in.pool.ConstDim(1)
	for _, d := range x.Type().Shape {
		n = p.DimMul(n, d)
	}
	for j, v := range sizes {
		d, ok := value.AsDim(p, v)
		if !ok {
			return 0, false
		}
		if j == i || j == i+1 {
			continue
		}
		if c, ok := d.Expr.Const(); ok && c <= 0 {
			return 0, false
		}
		n = p.DimFloorDiv(n, d)
	}
	return n.Expr.Const()
}

// otherHeads proposes for m heads of n the nearest number that divides n, if it
// is near.
func (s *site) otherHeads(e ast.Expr, name string, n, m int64, try func(k int64) bool) *faultNumbers {
	if m <= 1 || n <= 0 {
		return nil
	}
	var near []int64
	for d := int64(1); d < m && near == nil; d++ {
		for _, k := range [...]int64{m - d, m + d} {
			if k > 1 && 2*k >= m && k <= 2*m && k <= n && n%k == 0 && try(k) {
				near = append(near, k)
			}
		}
	}
	f := &faultNumbers{diag: s.diag}
	switch len(near) {
	case 1:
		f.otherwise = fmt.Sprintf("%s should be %d, which divides %d", name, near[0], n)
		if at := s.in.numeralOf(e, m); at != nil {
			f.changes = []numberChange{{fmt.Sprintf("%s should be %d, which divides %d", s.in.numeralName(at, name), near[0], n), at, near[0], false}}
		}
	case 2:
		f.otherwise = fmt.Sprintf("%s should be %d or %d: they divide %d", name, near[0], near[1], n)
	default:
		return nil
	}
	return f
}

// numbers finds changes of numbers to try when the run is over.
func (s *site) numbers() {
	for _, find := range [...]func() *faultNumbers{s.otherChannels, s.headsOfLayer, s.headsOfView} {
		if f := find(); f != nil {
			s.in.advice.numbers = append(s.in.advice.numbers, *f)
			return
		}
	}
}

// openFeatures says what makes the in_features of a Linear right whose input has a
// number of features that depends on sizes, as after a flatten.
func (s *site) openFeatures(x *value.Tensor, old value.Value, d symshape.Dim) []advice {
	n, ok := value.AsInt(old)
	def := x.V.Def
	if !ok || def == nil {
		return nil
	}
	var from *graph.Value
	for _, a := range def.Args {
		if v, ok := a.Value.(*graph.Value); ok && (a.Name == "input" || a.Name == "self") {
			from = v
		}
	}
	if from == nil || from.Type.Rank() <= x.Type().Rank() || !from.Type.Ranked {
		return nil
	}
	// The axes that became the features: those at the end whose product they are.
	p, shape := s.in.pool, from.Type.Shape
	known, rest, all := int64(1), p.ConstDim(1), p.ConstDim(1)
	for i := len(shape) - 1; i > 0 && all.Expr != d.Expr; i-- {
		all = p.DimMul(all, shape[i])
		if c, ok := shape[i].Expr.Const(); ok {
			known *= c
		} else {
			rest = p.DimMul(rest, shape[i])
		}
	}
	if all.Expr != d.Expr || known <= 0 || n <= 0 {
		return nil
	}
	features, _ := s.in.Repr(value.FromDim(d))
	open, _ := s.in.Repr(value.FromDim(rest))
	title := fmt.Sprintf("in_features %d fits inputs with %s == %d", n, open, n/known)
	if n%known != 0 {
		title = fmt.Sprintf("in_features is to be %s, a multiple of %d", features, known)
	}
	if c, ok := shape[min(1, len(shape)-1)].Expr.Const(); ok && c == known && len(shape) >= 3 && len(shape) <= 5 { // channels, then an image
		title += fmt.Sprintf("; an nn.AdaptiveAvgPool%dd before the flatten gives one number for all sizes", len(shape)-2)
	}
	// Nothing is called: what it says holds of the sizes themselves.
	return []advice{{title: title, try: func() (value.Value, error) { return value.None, nil }}}
}
