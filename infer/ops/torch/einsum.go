package torch

// This file holds torch.einsum: the equation with implicit and explicit output,
// ellipses, repeated labels (diagonals), broadcasting of size 1, and the sublist
// form. Rules and messages' contents follow aten/src/ATen/native/Linear.cpp. Sizes and dtypes are
// found apart: the sizes from the labels alone, the dtype from the products that PyTorch takes one
// after the other, since it depends on which of them are contractions. Strides are in
// einsumlayout.go.

import (
	"fmt"
	"sort"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var einsumOps = [...]ops.Op{
	{Names: []string{"torch.einsum", "torch.functional.einsum"}, Sig: "(*args)", Rule: einsumRule,
		Form: graph.Einsum, Quirks: ops.InPython | ops.OneDevice,
		Trace: ops.ComparesResult, Doc: "sums of products by Einstein's convention"},
}

// A label is a subscript: 0–25 for A–Z, 26–51 for a–z, or ellipsisLabel. Numbers above
// ellipsisLabel stand for the axes under an ellipsis, in einsumDType alone.
type label int

const ellipsisLabel label = 52

// String writes a label as PyTorch's messages do: labels are numbered with the capitals first
// (at::native::einsum's label_to_subscript).
func (l label) String() string {
	switch {
	case l == ellipsisLabel:
		return "..."
	case l < 26:
		return string(rune('A' + l))
	}
	return string(rune('a' + l - 26))
}

// An equation is a parsed einsum expression. It has as many inputs as the equation has terms, which
// need not be the number of operands.
type equation struct {
	// inputs has the labels of each operand; output those of the result, if it is explicit.
	inputs   [][]label
	output   []label
	explicit bool
}

// einsumRule reads the two forms of torch.einsum's arguments: an equation and operands, which may be one
// sequence, or operands each followed by a list of subscripts. There must be at least one operand, and
// each must be a tensor. The operands as one sequence is an older form.
func einsumRule(c *ops.Call) value.Value {
	args := c.Rest()
	if len(args) == 0 {
		return c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands, or operands and subscript lists")
	}
	var eq *equation
	var operands []value.Value
	if text, ok := value.AsStr(args[0]); ok {
		operands = args[1:]
		// A list of unknown length is lost.
		if len(operands) == 1 && ops.IsSequence(operands[0]) {
			switch v := operands[0].(type) {
			case *value.Tuple:
				operands = v.Elems
			case *value.List:
				if v.Open != nil {
					return c.Lose("the number of operands is not known")
				}
				operands = v.Elems
			}
		}
		if len(operands) == 0 {
			return c.Errorf("ValueError", diag.BadCall, "einsum() needs at least one operand")
		}
		eq = parseEquation(c, text)
	} else {
		if a, isAbstract := args[0].(*value.Abstract); isAbstract && a.Class.Name == "str" {
			return c.Lose("the equation is not known")
		}
		eq, operands = sublistEquation(c, args)
	}
	if !c.OK() {
		return nil
	}
	// Tensors of NumPy or Chainer do not come here but by delegation.
	ts := make([]*value.Tensor, len(operands))
	for i, v := range operands {
		t, ok := v.(*value.Tensor)
		if !ok {
			if value.IsUnknown(v) {
				return c.Lose("operand %d is not known", i)
			}
			return c.Errorf("TypeError", diag.TypeMismatch, "einsum(): operand %d must be a Tensor, not %s", i, ops.TypeName(v))
		}
		ts[i] = t
	}
	return einsum(c, eq, ts)
}

// parseEquation reads "ij,jk->ik". It gives nil after a fault. The text may have blanks anywhere
// but inside of an ellipsis.
func parseEquation(c *ops.Call, text string) *equation {
	eq := &equation{}
	lhs, rhs, explicit := strings.Cut(text, "->")
	eq.explicit = explicit
	offset := 0
	for i, part := range strings.Split(lhs, ",") {
		labels, ok := parseLabels(c, text, offset, part, fmt.Sprintf("for operand %d", i))
		if !ok {
			return nil
		}
		eq.inputs = append(eq.inputs, labels)
		offset += len(part) + 1
	}
	if explicit {
		var ok bool
		if eq.output, ok = parseLabels(c, text, len(lhs)+2, rhs, "for the output"); !ok {
			return nil
		}
	}
	return eq
}

// parseLabels reads the subscripts of one operand, or of the output, of an equation. Letters are labels, spaces
// are ignored, "..." is one label of its own. Offset is where part begins in the whole text, for the message's
// caret. where names the operand or output in messages.
func parseLabels(c *ops.Call, text string, offset int, part, where string) ([]label, bool) {
	var out []label
	ellipsis := false
	for i := 0; i < len(part); i++ {
		switch b := part[i]; {
		case b == ' ':
		case b == '.':
			if ellipsis {
				einsumError(c, text, offset+i, fmt.Sprintf("a second ellipsis %s", where))
				return nil, false
			}
			if !strings.HasPrefix(part[i:], "...") {
				einsumError(c, text, offset+i, fmt.Sprintf("'.' that is not part of an ellipsis %s", where))
				return nil, false
			}
			ellipsis = true
			out = append(out, ellipsisLabel)
			i += 2
		case b >= 'A' && b <= 'Z':
			out = append(out, label(b-'A'))
		case b >= 'a' && b <= 'z':
			out = append(out, label(b-'a')+26)
		default:
			einsumError(c, text, offset+i, fmt.Sprintf("invalid subscript %q %s", b, where))
			return nil, false
		}
	}
	return out, true
}

// einsumError is the RuntimeError of a mistake at a position of the equation. The position counts
// bytes from 0.
func einsumError(c *ops.Call, text string, at int, what string) {
	c.Errorf("RuntimeError", diag.BadValue, "einsum(): %s at position %d of '%s'", what, at, text)
}

// sublistEquation reads op1, [0, 1], op2, [1, 2], …, [0, 2], and gives the operands beside the
// equation. An odd number of arguments has the output at its end. Nil after a fault. Two forms of
// the same call have the same rule from here on.
func sublistEquation(c *ops.Call, args []value.Value) (*equation, []value.Value) {
	eq := &equation{explicit: len(args)%2 == 1}
	var operands []value.Value
	for i := 0; i+1 < len(args); i += 2 {
		labels, ok := sublist(c, args[i+1])
		if !ok {
			return nil, nil
		}
		operands = append(operands, args[i])
		eq.inputs = append(eq.inputs, labels)
	}
	if len(operands) == 0 {
		c.Errorf("ValueError", diag.BadCall, "einsum() needs an equation and operands, or operands and subscript lists")
		return nil, nil
	}
	if eq.explicit {
		var ok bool
		if eq.output, ok = sublist(c, args[len(args)-1]); !ok {
			return nil, nil
		}
	}
	return eq, operands
}

// sublist reads the other way to call einsum, operands and lists of ints in turn: the numbers 0 to 51 are the
// labels, and Ellipsis the ellipsis. ok is false after a fault or a loss.
func sublist(c *ops.Call, v value.Value) ([]label, bool) {
	var elems []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		if v.Open != nil {
			c.Lose("the length of a subscript list is not known")
			return nil, false
		}
		elems = v.Elems
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "einsum(): a subscript list must be a list of ints, not %s", ops.TypeName(v))
		return nil, false
	}
	var out []label
	for _, e := range elems {
		// PyTorch checks for a second ellipsis only where it follows the first.
		if e == value.Ellipsis {
			if len(out) > 0 && out[len(out)-1] == ellipsisLabel {
				c.Errorf("RuntimeError", diag.BadValue, "einsum(): a second ellipsis in a subscript list")
				return nil, false
			}
			out = append(out, ellipsisLabel)
			continue
		}
		n, ok := value.AsInt(e)
		if !ok || n < 0 || n >= int64(ellipsisLabel) {
			c.Errorf("ValueError", diag.BadValue, "einsum(): subscript %s is not in 0 … 51", e)
			return nil, false
		}
		out = append(out, label(n))
	}
	return out, true
}

// einsum finds the shape of the result: each label has one size, with size 1 broadcasting, and the
// axes under the ellipses broadcast from the last one on. It returns nil after a fault.
func einsum(c *ops.Call, eq *equation, ts []*value.Tensor) value.Value {
	switch {
	case len(ts) < len(eq.inputs):
		return c.Errorf("RuntimeError", diag.BadValue, "einsum(): the equation names %d operands, but got %d", len(eq.inputs), len(ts))
	case len(ts) > len(eq.inputs):
		return c.Errorf("RuntimeError", diag.BadValue, "einsum(): got %d operands, but the equation names %d", len(ts), len(eq.inputs))
	}
	// What each label is known by: its size, the axis that a fault names, how often it occurs.
	sizes := map[label]symshape.Dim{}
	from := map[label]ops.Ref{}
	count := map[label]int{}
	var dots []symshape.Dim // sizes under the ellipsis
	var dotsRef []ops.Ref
	for i, t := range ts {
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		// Without an ellipsis the labels are all axes of the operand. With an ellipsis they are at
		// most that many.
		named, hasDots := 0, false
		for _, l := range eq.inputs[i] {
			if l == ellipsisLabel {
				hasDots = true
			} else {
				named++
			}
		}
		if hasDots && named > len(s) || !hasDots && named != len(s) {
			c.Saying(diag.Fact{Kind: diag.WrongRank, Of: t.String(), Wants: int64(named)})
			return c.Errorf("RuntimeError", diag.RankMismatch, "einsum(): '%s' has %s for operand %d, %s", spell(eq.inputs[i]),
				ops.CountWord(named, "subscript"), i, t)
		}
		axis := 0
		here := map[label]bool{}
		for _, l := range eq.inputs[i] {
			if l != ellipsisLabel {
				if !bindLabel(c, l, i, t, axis, sizes, from, count, here) {
					return nil
				}
				axis++
				continue
			}
			// The ellipsis of an operand may stand for fewer axes than that of another.
			n := len(s) - named
			for len(dots) < n {
				// The axes under an ellipsis are aligned at the last one; dots grows in front.
				dots = append([]symshape.Dim{c.Const(1)}, dots...)
				dotsRef = append([]ops.Ref{{}}, dotsRef...)
			}
			for k := range n {
				j := len(dots) - n + k
				d, ok := c.BroadcastDim(dots[j], s[axis])
				if !ok {
					c.Blame(dotsRef[j], ops.Ref{Tensor: t, Axis: axis})
					return c.Shapef("einsum(): size %s of dimension %d of operand %d, %s, under the ellipsis does not match size %s seen before",
						s[axis], axis, int64(i), t, dots[j])
				}
				// A fault later names the axis that has a size other than 1.
				if !ops.IsConst(s[axis], 1) {
					dotsRef[j] = ops.Ref{Tensor: t, Axis: axis}
				}
				dots[j] = d
				axis++
			}
		}
	}
	shape, ok := einsumOutput(c, eq, sizes, count, dots)
	if !ok {
		return nil
	}
	d := einsumDType(c, eq, ts)
	if !c.OK() {
		return nil
	}
	// The device is that of the operands.
	ty := graph.TensorType{DType: d, Ranked: true, Shape: shape, Device: deviceOf(ts)}
	out := c.OutType(ty)
	switch {
	// Strides of a vector need not be told: it is contiguous, unless it is a diagonal.
	case len(shape) > 1:
		c.SetStrides(out, einsumStrides(c, eq, ts, shape, count, len(dots)))
	case len(shape) == 1 && len(ts) == 1: // perhaps a diagonal, viewed
		out.Type().Strides = make([]*symshape.Expr, 1)
	}
	return out
}

// einsumDType follows the steps of the computation, since each has its own rule:
// sums of ints give i64, products without a contraction promote, contractions
// need equal dtypes. The result is unknown where one operand's dtype is. It notes a fault for
// operands of different dtypes in a contraction.
func einsumDType(c *ops.Call, eq *equation, ts []*value.Tensor) dtype.DType {
	kept := map[label]bool{}
	for _, l := range eq.output {
		kept[l] = true
	}
	d := ts[0].Type().DType
	// A size of 1 takes no part in a sum.
	wide := make([]map[label]bool, len(ts)) // labels of a size other than 1, dots as ellipsisLabel + distance from the end
	last := map[label]int{}
	seen := map[label]int{}
	empty := false
	for i, t := range ts {
		if t.Type().DType == dtype.Unknown {
			return dtype.Unknown
		}
		s := t.Type().Shape
		// An empty product of three or more ends early in PyTorch, with the first dtype.
		if isEmpty(s) && len(ts) > 2 {
			return d
		}
		empty = empty || isEmpty(s) && len(ts) > 1
		wide[i] = map[label]bool{}
		dots := len(s) - len(eq.inputs[i]) + 1
		axis := 0
		for _, l := range eq.inputs[i] {
			n := 1
			if l == ellipsisLabel {
				n = dots
			}
			for k := range n {
				key := l
				if l == ellipsisLabel {
					key = ellipsisLabel + label(n-k)
				}
				seen[key]++
				if !ops.IsConst(s[axis], 1) || len(ts) == 1 { // a sum of one element is a sum, too
					wide[i][key] = true
					last[key] = i
				} else if _, ok := last[key]; !ok {
					last[key] = 0
				}
				axis++
			}
		}
	}
	// A label is summed if the output has it not, or without an output if it occurs twice.
	summed := func(l label) bool {
		if l >= ellipsisLabel {
			return eq.explicit && !kept[ellipsisLabel]
		}
		return eq.explicit && !kept[l] || !eq.explicit && seen[l] > 1
	}
	// PyTorch's sums of integers are int64.
	sum := func(d dtype.DType) dtype.DType {
		if d.IsIntegralOrBool() {
			return dtype.I64
		}
		return d
	}
	// The labels of a size other than 1 in the product so far, and its dtype in d.
	acc := map[label]bool{} // of the product so far
	for l := range wide[0] {
		acc[l] = true
		if summed(l) && last[l] == 0 {
			d = sum(d)
		}
	}
	// The operands are multiplied from left to right.
	for i := 1; i < len(ts); i++ {
		e := ts[i].Type().DType
		contracted := false
		// A label is summed when its last operand is multiplied: alone in that, alone in the
		// product, or in both, which is a contraction.
		for l, at := range last {
			if at != i || !summed(l) {
				continue
			}
			switch {
			case !acc[l]:
				e = sum(e)
			case !wide[i][l]:
				d = sum(d)
			default:
				contracted = true
			}
		}
		for l := range wide[i] {
			acc[l] = true
		}
		// Without a contraction it is an element-wise product.
		if !contracted {
			d = dtype.Promote(d, e)
			continue
		}
		if empty { // a product of nothing looks at the second operand only
			d = e
			continue
		}
		// bmm demands one dtype.
		if d != e {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "einsum() needs operands of one dtype, but got %s and %s", d, ts[i])
			return d
		}
		// bmm is not implemented for bool.
		if d == dtype.Bool {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "einsum() of bool tensors cannot sum products")
			return d
		}
	}
	return d
}

// spell writes labels as an equation has them. It is for messages.
func spell(labels []label) string {
	var b strings.Builder
	for _, l := range labels {
		b.WriteString(l.String())
	}
	return b.String()
}

// bindLabel unifies the size of a label with that of an axis. Repeated in one operand the sizes
// must be equal; between operands size 1 broadcasts. It reports whether they agree. i is the number
// of the operand, for the message. from keeps the axis that decided the size, here the labels that the operand had already.
func bindLabel(c *ops.Call, l label, i int, t *value.Tensor, axis int, sizes map[label]symshape.Dim, from map[label]ops.Ref,
	count map[label]int, here map[label]bool) bool {
	d := t.Type().Shape[axis]
	count[l]++
	old, seen := sizes[l]
	repeated := here[l]
	here[l] = true
	if !seen {
		sizes[l], from[l] = d, ops.Ref{Tensor: t, Axis: axis}
		return true
	}
	same, ok := old, false
	// A label twice in one operand is a diagonal, which needs equal sizes.
	if repeated {
		same, ok = c.Same(old, d)
	} else {
		same, ok = c.BroadcastDim(old, d)
	}
	if !ok {
		c.Blame(from[l], ops.Ref{Tensor: t, Axis: axis})
		c.Shapef("einsum(): label '%s' has size %s in operand %d, %s, but size %s before, in %s", l, d, int64(i), t, old, from[l].Tensor)
		return false
	}
	sizes[l] = same
	// A size of 1 did not decide.
	if !ops.IsConst(d, 1) {
		from[l] = ops.Ref{Tensor: t, Axis: axis}
	}
	return true
}

// einsumOutput gives the result's shape: the sizes of the labels that the output names. Without an output, the
// rule is NumPy's: first the axes of the ellipses, then in the order of the alphabet the labels that occur
// exactly once in all operands; the others are summed over. ok is false after a fault: a label
// twice in the output, or one that is in no operand.
func einsumOutput(c *ops.Call, eq *equation, sizes map[label]symshape.Dim, count map[label]int, dots []symshape.Dim) (symshape.Shape,
	bool) {
	var shape symshape.Shape
	if !eq.explicit { // labels that occur once, in alphabetical order, after the ellipsis
		shape = append(shape, dots...)
		var once []label
		for l, n := range count {
			if n == 1 {
				once = append(once, l)
			}
		}
		sort.Slice(once, func(i, j int) bool { return once[i] < once[j] })
		for _, l := range once {
			shape = append(shape, sizes[l])
		}
		return shape, true
	}
	seen := map[label]bool{}
	for _, l := range eq.output {
		if seen[l] {
			c.Errorf("RuntimeError", diag.BadValue, "einsum(): label '%s' appears more than once in the output", l)
			return nil, false
		}
		seen[l] = true
		if l == ellipsisLabel {
			shape = append(shape, dots...)
			continue
		}
		d, ok := sizes[l]
		if !ok {
			c.Errorf("RuntimeError", diag.BadValue, "einsum(): label '%s' of the output appears in no operand", l)
			return nil, false
		}
		shape = append(shape, d)
	}
	return shape, true
}
