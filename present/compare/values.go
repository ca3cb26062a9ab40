package compare

// This file compares values: tensors by type, structures by parts. Whether a sequence
// is a tuple or a list, and the class of a tensor (an array, a Variable), is the
// library's own affair. Two runs of models are compared value by value. The answer is one of three:
// the same (nil), different, or not known; a difference is told as soon as it is certain, and what
// is not known only if nothing differs. Sizes are compared as expressions in the symbols of each
// run, which c.sizes translates to one pool.

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// maxDepth bounds the nesting of values that are compared.
const maxDepth = 12

// value compares two values; nil: they are the same. The value of the whole result.
func (c *comparison) value(a, b value.Value) *finding { return c.at(a, b, "", maxDepth) }

// at compares two values at a path within the results; nil: they are the same. What cannot be decided, as an unknown
// value or one of two, is a finding of its own and never counts as the same. path leads to the
// value, with a blank at its end, and depth is how much deeper it may go.
func (c *comparison) at(a, b value.Value, path string, depth int) *finding {
	unknown := func(why string) *finding {
		return &finding{Unknown, Difference{What: fmt.Sprintf("%s%s and %s: %s", path, text(a), text(b), why)}}
	}
	differ := func() *finding {
		return &finding{Different, Difference{What: fmt.Sprintf("%s%s and %s", path, text(a), text(b))}}
	}
	if depth == 0 {
		return unknown("they are nested too deeply")
	}
	// Parts that are shared would be compared again and again.
	if !c.visit.Enter(a) {
		return unknown("they share too many parts")
	}
	defer c.visit.Leave()
	for _, v := range []value.Value{a, b} {
		if cause := value.CauseOf(v); cause != nil && value.IsUnknown(v) {
			return unknown(cause.Reason)
		}
	}
	// Two choices are compared branch by branch, if their conditions are the same after
	// translation.
	if x, ok := a.(*value.Choice); ok {
		y, ok := b.(*value.Choice)
		if !ok {
			return unknown("one is one of two values")
		}
		cond, ok := c.sizes.cond(y.Cond)
		if !ok || cond != x.Cond {
			return unknown("they are one of two values each")
		}
		if f := c.at(x.Then, y.Then, path, depth-1); f != nil {
			return f
		}
		return c.at(x.Else, y.Else, path, depth-1)
	} else if _, ok := b.(*value.Choice); ok {
		return unknown("one is one of two values")
	}
	ka, kb := kindOf(a), kindOf(b)
	switch {
	// Values that are neither data nor tensors.
	case ka == other || kb == other:
		if constant(a) && constant(b) && a.String() == b.String() {
			return nil
		}
		return c.objects(a, b, path, depth, unknown)
	// Numbers and texts, or a tensor and a list, are different whatever they contain.
	case ka != kb:
		return differ()
	}
	switch ka {
	case aTensor:
		return c.tensors(a.(*value.Tensor), b.(*value.Tensor), path)
	case aSequence:
		if open(a) != nil || open(b) != nil {
			return c.opens(open(a), open(b), path, depth, unknown)
		}
		x, y := elements(a), elements(b)
		if len(x) != len(y) {
			return &finding{Different, Difference{What: fmt.Sprintf("%s%d and %d elements: %s and %s", path, len(x), len(y), text(a), text(b))}}
		}
		return c.each(len(x), func(i int) (value.Value, value.Value, string) { return x[i], y[i], fmt.Sprintf("[%d]", i) }, path, depth)
	case aDict:
		return c.dicts(a.(*value.Dict), b.(*value.Dict), path, depth, differ, unknown)
	case aNumber:
		// An int compares as an expression, a float by its value below.
		x, y := intOf(a, c.sizes.pools[0]), intOf(b, c.sizes.pools[1])
		if x != nil && y != nil {
			f := c.sizes.same(x, y)
			if f != nil {
				f.What = fmt.Sprintf("%s%s and %s", path, text(a), text(b))
			}
			return f
		}
		// Numbers that are known compare by their text, so that 1 and 1.0 differ.
		if known(a) && known(b) {
			if a.String() == b.String() {
				return nil
			}
			return differ()
		}
		return unknown("not both numbers are known")
	}
	// The text of such values says all of them.
	if a.String() != b.String() { // None, texts
		return differ()
	}
	return nil
}

// each compares parts, and gives the first difference, else the first that is unknown. part gives
// two parts and how the path goes on.
func (c *comparison) each(n int, part func(i int) (a, b value.Value, path string), path string, depth int) *finding {
	var first *finding
	for i := range n {
		a, b, name := part(i)
		f := c.at(a, b, path+name+" ", depth-1)
		if f != nil && f.verdict == Different {
			return f
		}
		if first == nil {
			first = f
		}
	}
	return first
}

// Keys are compared by their text, and their order does not count.
func (c *comparison) dicts(a, b *value.Dict, path string, depth int, differ func() *finding, unknown func(string) *finding) *finding {
	if a.Open != nil || b.Open != nil {
		return unknown("not all keys are known")
	}
	if a.Len() != b.Len() {
		return differ()
	}
	at := map[string]value.Value{}
	for i := range b.Len() {
		at[b.Key(i).String()] = b.At(i)
	}
	for i := range a.Len() {
		if at[a.Key(i).String()] == nil {
			return differ()
		}
	}
	// The text of a key that is a str begins with its kind.
	return c.each(a.Len(), func(i int) (value.Value, value.Value, string) {
		k := a.Key(i).String()
		return a.At(i), at[k], "[" + strings.TrimPrefix(k, "str=") + "]"
	}, path, depth)
}

// opens compares lists whose lengths data or sizes decide. Lists of unknown length are the same if
// their lengths and their elements are.
func (c *comparison) opens(a, b *value.Open, path string, depth int, unknown func(string) *finding) *finding {
	if a == nil || b == nil || a.Elem == nil || b.Elem == nil {
		return unknown("one is a list of unknown length")
	}
	if f := c.dim(a.Len, b.Len); f != nil {
		f.What = fmt.Sprintf("%sthe lengths %s and %s", path, a.Len, b.Len)
		return f
	}
	return c.at(a.Elem, b.Elem, path+"element ", depth-1)
}

// objects compares instances by their public attributes. Attributes that begin with an underscore
// are the library's own. An object that wraps data of this program (Payload, Data), lacks
// attributes, or may lack one, is not compared.
func (c *comparison) objects(a, b value.Value, path string, depth int, unknown func(string) *finding) *finding {
	x, ok := a.(*value.Instance)
	y, both := b.(*value.Instance)
	if !ok || !both || x.Payload != nil || y.Payload != nil || x.Data != nil || y.Data != nil {
		return unknown("such objects are not compared")
	}
	public := func(v *value.Instance) (names []string) {
		for i := range v.Attrs.Len() {
			if n := v.Attrs.Name(i); !strings.HasPrefix(n, "_") {
				names = append(names, n)
			}
		}
		return names
	}
	mine, others := public(x), public(y)
	if len(mine) == 0 || len(mine) != len(others) {
		return unknown("such objects are not compared")
	}
	for _, n := range mine {
		if _, ok := y.Attrs.Get(n); !ok || x.Attrs.Maybe(n) || y.Attrs.Maybe(n) {
			return unknown("such objects are not compared")
		}
	}
	return c.each(len(mine), func(i int) (value.Value, value.Value, string) {
		u, _ := x.Attrs.Get(mine[i])
		v, _ := y.Attrs.Get(mine[i])
		return u, v, "." + mine[i]
	}, path, depth)
}

// tensors compares types. Device, memory order and gradient do not count.
func (c *comparison) tensors(a, b *value.Tensor, path string) *finding {
	return c.types(a.Type(), b.Type(), path)
}

// Different ranks or dtypes are a difference; unknown ones and unknown sizes are not known.
func (c *comparison) types(x, y *graph.TensorType, path string) *finding {
	what := fmt.Sprintf("%s%s and %s", path, x, y)
	switch {
	case x.DType != y.DType && x.DType != dtype.Unknown && y.DType != dtype.Unknown, x.Ranked && y.Ranked && len(x.Shape) != len(y.Shape):
		return &finding{Different, Difference{What: what}}
	case !x.Ranked || !y.Ranked:
		return &finding{Unknown, Difference{What: what + ": the number of dimensions is not known"}}
	}
	var first *finding
	for i := range x.Shape {
		f := c.dim(x.Shape[i], y.Shape[i])
		if f == nil {
			continue
		}
		// All sizes of the type stand in the message, not one of them.
		if f.What = what; f.verdict == Different {
			return f
		}
		if first == nil {
			first = f
		}
	}
	// Only one dtype is known.
	if first == nil && x.DType != y.DType {
		first = &finding{Unknown, Difference{What: what}}
	}
	if first != nil {
		first.What += ": not all is known"
	}
	return first
}

// Sizes without an expression differ if their examples do. Equal examples prove nothing.
func (c *comparison) dim(a, b symshape.Dim) *finding {
	switch {
	case a.Expr != nil && b.Expr != nil:
		return c.sizes.same(a.Expr, b.Expr)
	case a.Known && b.Known && a.Val != b.Val:
		return &finding{verdict: Different}
	}
	return &finding{verdict: Unknown}
}

// The kinds of values that are compared. The numbers have no meaning beyond this file.
type kind int

const (
	other kind = iota
	aTensor
	aSequence
	aDict
	aNumber
	aTruth
	aText
	none
)

// Tuples and lists are one kind.
func kindOf(v value.Value) kind {
	switch v.(type) {
	case *value.Tensor:
		return aTensor
	case *value.Tuple, *value.List:
		return aSequence
	case *value.Dict:
		return aDict
	case value.Int, *value.BigInt, *value.SymInt, value.Float, *value.SymFloat:
		return aNumber
	case value.Bool:
		return aTruth
	case value.Str:
		return aText
	case value.NoneType:
		return none
	}
	return other
}

// constant reports whether the text of a value says all of it.
func constant(v value.Value) bool {
	switch v.(type) {
	case value.DType, value.Device, value.Constant, value.EllipsisType:
		return true
	}
	return false
}

// nil for values of known length.
func open(v value.Value) *value.Open {
	if l, ok := v.(*value.List); ok {
		return l.Open
	}
	return nil
}

// intOf is the expression of an integer that has one. nil for floats and long integers, and for
// sizes without an expression.
func intOf(v value.Value, p *symshape.Pool) *symshape.Expr {
	switch v := v.(type) {
	case value.Int:
		return p.Const(int64(v))
	case *value.SymInt:
		return v.D.Expr
	}
	return nil
}

// known reports whether a number is one, whatever the sizes.
func known(v value.Value) bool {
	switch v.(type) {
	case value.Int, *value.BigInt, value.Float:
		return true
	}
	return false
}

// text is a value in a message. Long ones are cut.
func text(v value.Value) string {
	if v == nil {
		return "nothing"
	}
	s := v.String()
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return s
}

const maxText = 120
