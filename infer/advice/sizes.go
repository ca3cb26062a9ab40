package advice

// This file proposes sizes that operands of a failing call should have had: the
// channels of the two sides of a sum, and the features of a flattened image.

import (
	"fmt"
	"path/filepath"

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
	form         graph.Form
	class, param string // class: pattern of matches
	at           int    // the place of the parameter
}

var layerOutputs = [...]layerOutput{
	{graph.Conv, "Conv*d", "out_channels", 1},
	{graph.ConvTransp, "Conv*d", "out_channels", 1},
	{graph.Linear, "Linear", "out_features", 1},
}

// maxTrace is how many operations lie at most between a layer and a sum.
const maxTrace = 24

// otherChannels proposes for a sum of tensors that differ in one size that the
// layer of one side makes as many as the other has. The two tensors have to be of equal rank and to
// differ in exactly one axis, where both sizes are known numbers. Sizes of 1 broadcast, so they are
// no difference. Each side whose layer is found gives one change; the list of changes may be empty,
// and which of them is proposed is found out by trying. The result is nil where the call is not of
// this form.
func (s *Site) otherChannels() *faultNumbers {
	a, b := s.tensor(0), s.tensor(1)
	if a == nil || b == nil || len(s.vals) != 2 || s.diag.Code != diag.ShapeMismatch {
		return nil
	}
	if a.Type().Rank() != b.Type().Rank() || !s.combines() {
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
		// The number n stands in the source now and made this side; use is the size of the other
		// side, which replaces it.
		v      *graph.Value
		n, use int64
	}{{b.V, nb, na}, {a.V, na, nb}} {
		if c := s.layerMaking(side.v, axis, side.n); c != nil {
			c.n = side.use
			c.title = fmt.Sprintf("%s should be %d, not %d", c.title, side.use, side.n)
			if c.with != nil {
				c.title += ", and so should " + s.numeralName(c.with, "num_features")
			}
			f.changes = append(f.changes, *c)
		}
	}
	return f
}

// layerMaking finds the layer that made an axis of a tensor as large as it is, and
// where the source says so. It goes from the tensor back over its input operands, through
// operations that keep the rank and the size of that axis, until it comes to a convolution or a
// linear layer. A normalisation with a weight that lies between takes the same number of features,
// so its number is changed together with that of the layer. The result is nil if there is no such
// layer, if the axis is not the axis of its channels, or if its number is not found in the source.
func (s *Site) layerMaking(v *graph.Value, axis int, n int64) *numberChange {
	var norm *numeral
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
			if l := &layerOutputs[i]; l.form == v.Def.Form && weight != nil {
				// The channels stand before the axes of the image: a weight of a convolution has
				// two more axes than the image, that of a linear layer has two, and its features
				// are the last axis.
				if axis != v.Type.Rank()-max(1, weight.Type.Rank()-1) { // it is none of the channels
					return nil
				}
				c := s.layerOutput(l, weight, n)
				if c != nil && norm != nil && norm.expr != c.at.expr {
					c.with = norm
				}
				return c
			}
		}
		if weight != nil && weight.Param && norm == nil {
			norm = s.normFeatures(weight, n)
		}
		if input == nil || input.Type.Rank() != v.Type.Rank() {
			return nil
		}
		// An operation that changes the size of the axis, as a concatenation does, ends the search:
		// no single number made the axis then.
		if m, ok := input.Type.Shape[axis].Expr.Const(); !ok || m != n {
			return nil
		}
		v = input
	}
	return nil
}

// normFeatures finds the number of features of a normalisation by its weight. The weight was made
// at the place of the constructor's call, and only the batch normalisations are taken, since their
// first parameter is the number of channels.
func (s *Site) normFeatures(weight *graph.Value, n int64) *numeral {
	call, _ := s.nodeAt(weight.At).(*ast.Call)
	if call == nil || !matches("BatchNorm*d", lastName(call.Func)) {
		return nil
	}
	e := keywordExpr(call, "num_features")
	if e == nil && len(call.Args) > 0 {
		e = call.Args[0]
	}
	if e == nil {
		return nil
	}
	return s.numeralOf(e, n)
}

// layerOutput finds the argument of the constructor's call of a layer that gives its number of
// outputs, by keyword or by position. It is nil for a weight that is no parameter of a layer, for a
// call of another class, such as a subclass with parameters of its own, and after a starred
// argument, where positions are unknown.
func (s *Site) layerOutput(l *layerOutput, weight *graph.Value, n int64) *numberChange {
	if !weight.Param || !weight.At.IsValid() {
		return nil
	}
	call, _ := s.nodeAt(weight.At).(*ast.Call)
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
	at := s.numeralOf(e, n)
	if at == nil {
		return nil
	}
	// A convolution with a kernel of 1 is the usual way to fit channels to a sum, as in the
	// shortcut of a residual block.
	kernel, _ := weight.Type.Shape[len(weight.Type.Shape)-1].Expr.Const()
	return &numberChange{title: s.numeralName(at, l.param), at: at, n: n, usual: weight.Type.Rank() > 2 && kernel == 1}
}

// numeralName names a number of the source: out_channels on line 12.
func (s *Site) numeralName(at *numeral, param string) string {
	if at.name != "" {
		param = at.name
	}
	pos := s.host.Files().Position(at.expr.Span().Start)
	if pos.File != s.host.Main() {
		return fmt.Sprintf("%s on line %d of %s", param, pos.Line, filepath.Base(pos.File.Name))
	}
	if c, ok := pos.File.Cell(pos.Line); ok {
		return fmt.Sprintf("%s on line %d of cell %d", param, c.Line, c.Cell)
	}
	return fmt.Sprintf("%s on line %d", param, pos.Line)
}

// Numbers are changes of numbers to try when the run is over; nil where there are none. The first
// kind of proposal whose form fits is taken: sums before the heads of an attention.
func (s *Site) Numbers() *Proposal {
	for _, find := range [...]func() *faultNumbers{s.otherChannels, s.headsOfLayer, s.headsOfView} {
		if f := find(); f != nil {
			return f.proposal()
		}
	}
	return nil
}

// openFeatures says what makes the in_features of a Linear right whose input has a
// number of features that depends on sizes, as after a flatten. The size d is the number of
// features that the input has. The proposal is text alone: there is no single number that would be
// right for every size. It is nil if the tensor was not made by joining axes of another, or if d is
// not the product of axes at its end.
func (s *Site) openFeatures(x *value.Tensor, old value.Value, d symshape.Dim) []advice {
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
	// The axes that became the features: those at the end whose product they are. known is the
	// product of the fixed sizes among these axes, such as the channels, and rest the product of
	// those that depend on the sizes of the input.
	p, shape := s.host.Pool(), from.Type.Shape
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
	features, _ := s.host.Repr(value.FromDim(d))
	open, _ := s.host.Repr(value.FromDim(rest))
	title := fmt.Sprintf("in_features %d fits inputs with %s == %d", n, open, n/known)
	// in_features has to be a multiple of the fixed sizes; one that is not fits no input at all.
	if n%known != 0 {
		title = fmt.Sprintf("in_features is to be %s, a multiple of %d", features, known)
	}
	if c, ok := shape[min(1, len(shape)-1)].Expr.Const(); ok && c == known && len(shape) >= 3 && len(shape) <= 5 { // channels, then an image
		title += fmt.Sprintf("; an nn.AdaptiveAvgPool%dd before the flatten gives one number for all sizes", len(shape)-2)
	}
	// Nothing is called: what it says holds of the sizes themselves.
	return []advice{{title: title, try: func() (value.Value, error) { return value.None, nil }}}
}
