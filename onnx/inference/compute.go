package inference

// This file computes with the elements of small tensors: integers as expressions,
// floats as far as real.go knows them.
//
// Booleans are 0 and 1 here. A comparison is decided only when it has the same answer for all
// values of the symbols; otherwise its element is unknown, and so is what depends on it.

import (
	"math"

	"shapecheck/onnx"
)

// dataCast follows a conversion of elements that are known: shapes are computed in graphs by casts to floats
// and back, so reals are kept as expressions, with the rounding of each type. A float becomes an
// integer by truncation. Constants beyond 2^53 are left out, since what was computed in floats is
// not exact there.
func dataCast(c *call) {
	v, out := c.in(0), c.outs[0]
	to, from := out.Elem, v.Elem
	switch {
	case v.ints != nil && to == onnx.Bool:
		list := make([]expr, len(v.ints))
		for i, x := range v.ints {
			if x != nil {
				list[i] = c.truth(c.decide("ne", x, c.pool().Const(0)))
			}
		}
		c.setInts(0, list)
	case v.ints != nil && isInt(to):
		c.setInts(0, v.ints)
	case v.ints != nil:
		list := make([]real, len(v.ints))
		for i, x := range v.ints {
			list[i] = c.e.realOf(to, x)
		}
		c.setReals(0, list)
	case !v.hasReals():
	case isInt(to) && to != onnx.Bool:
		list := make([]expr, v.count())
		for i := range list {
			if x := v.real(i); x.kind != constReal {
				list[i] = c.e.roundReal("trunc", from, x)
			} else if math.Abs(x.x) < 1<<53 {
				list[i] = c.pool().Const(int64(x.x))
			}
		}
		c.setInts(0, list)
	case isFloat(to):
		list := make([]real, v.count())
		for i := range list {
			list[i] = c.e.convertReal(from, to, v.real(i))
		}
		c.setReals(0, list)
	}
}

func isFloat(d onnx.DType) bool { return d == onnx.Float || d == onnx.Double }

// rounded gives the nearest number that the element type has.
func rounded(d onnx.DType, x float64) float64 {
	if d == onnx.Float {
		return float64(float32(x))
	}
	return x
}

// truth is a bool as an element: 1, 0 or not known.
func (c *call) truth(yes, known bool) expr {
	switch {
	case !known:
		return nil
	case yes:
		return c.pool().Const(1)
	}
	return c.pool().Const(0)
}

// decide compares two integers for all values of their symbols. It uses the bounds of the
// difference a - b alone, which is cheap and enough for what shapes ask.
func (c *call) decide(how string, a, b expr) (yes, known bool) {
	d := c.pool().Sub(a, b)
	if d == nil {
		return false, false
	}
	lo, hi := d.Bounds()
	switch how {
	case "eq", "ne":
		switch {
		case lo == 0 && hi == 0:
			return how == "eq", true
		case lo > 0 || hi < 0:
			return how == "ne", true
		}
	case "lt", "ge":
		switch {
		case hi < 0:
			return how == "lt", true
		case lo >= 0:
			return how == "ge", true
		}
	case "gt", "le":
		switch {
		case lo > 0:
			return how == "gt", true
		case hi <= 0:
			return how == "le", true
		}
	}
	return false, false
}

// dataUnary makes the computation of an operator with one operand; how names it. A function that
// is not listed leaves the elements unknown.
func dataUnary(how string) func(*call) {
	return func(c *call) {
		v, p := c.in(0), c.pool()
		if v.ints != nil {
			list := make([]expr, len(v.ints))
			for i, x := range v.ints {
				switch {
				case x == nil:
				case how == "abs":
					list[i] = p.Abs(x)
				case how == "neg":
					list[i] = p.Neg(x)
				case how == "relu":
					list[i] = p.Max(x, p.Const(0))
				case how == "not":
					list[i] = p.Sub(p.Const(1), x)
				}
			}
			c.setInts(0, list)
		} else if v.hasReals() {
			list := make([]real, v.count())
			for i := range list {
				list[i] = c.e.applyReal(how, v.Elem, v.real(i))
			}
			c.setReals(0, list)
		}
	}
}

// zip computes the elements of the result of a broadcasting operator. f gets one element of each
// operand. Nothing is done where no operand has known elements.
func (c *call) zip(f func(args []element) element) {
	to, ok := c.outs[0].constShape()
	n := c.outs[0].count()
	if !ok || n < 0 {
		return
	}
	shapes := make([][]int64, len(c.ins))
	some := false
	for i, v := range c.ins {
		if v == nil {
			return
		}
		if shapes[i], ok = v.constShape(); !ok || v.count() < 0 {
			return
		}
		some = some || v.hasElements()
	}
	if !some {
		return
	}
	list := make([]element, n)
	args := make([]element, len(c.ins))
	for i := range list {
		for j, v := range c.ins {
			args[j] = v.element(broadcastIndex(i, shapes[j], to))
		}
		list[i] = f(args)
	}
	c.setElements(0, list)
}

// combine applies an operator to two integers; nil when the result is not known. Products with 0
// and disjunctions with true are known even when the other side is not. Division truncates
// towards zero in ONNX, and equals floor division only where both sides are known not to be
// negative.
func (c *call) combine(how string, a, b expr) expr {
	p := c.pool()
	if a == nil || b == nil {
		if how == "mul" && (a != nil && a.IsConst(0) || b != nil && b.IsConst(0)) || how == "and" &&
			(a != nil && a.IsConst(0) || b != nil && b.IsConst(0)) {
			return p.Const(0)
		}
		if how == "or" && (isTrue(a) || isTrue(b)) {
			return p.Const(1)
		}
		return nil
	}
	x, isConst := a.Const()
	y, isConst2 := b.Const()
	consts := isConst && isConst2
	switch how {
	case "add":
		return p.Add(a, b)
	case "sub":
		return p.Sub(a, b)
	case "mul":
		return p.Mul(a, b)
	case "max":
		return p.Max(a, b)
	case "min":
		return p.Min(a, b)
	case "div": // towards zero
		switch {
		case consts && y != 0 && !(x == math.MinInt64 && y == -1):
			return p.Const(x / y)
		case low(a) >= 0 && low(b) >= 1:
			return p.FloorDiv(a, b)
		}
	case "mod":
		fmod := c.a.Bool("fmod")
		switch {
		case low(b) >= 1 && (low(a) >= 0 || !fmod):
			return p.Mod(a, b)
		case consts && y != 0 && y != -1 && !fmod:
			return p.Mod(a, b)
		}
	case "pow":
		if isConst2 && y >= 0 && y < 8 {
			return p.Pow(a, int(y))
		}
	case "and", "or", "xor":
		if consts {
			return p.Const(map[string]int64{"and": x & y, "or": x | y, "xor": x ^ y}[how])
		}
		if how == "and" && (a.IsConst(0) || b.IsConst(0)) {
			return p.Const(0)
		}
		if how == "or" && (isTrue(a) || isTrue(b)) {
			return p.Const(1)
		}
	default:
		return c.truth(c.decide(how, a, b))
	}
	return nil
}

// combineElements is combine for elements of any type.
func (c *call) combineElements(how string, a, b element) element {
	d := c.elem(0)
	switch {
	case isInt(d):
		return element{n: c.combine(how, a.n, b.n)}
	case floatOps[how] != nil:
		return element{r: c.e.combineReals(how, d, a.r, b.r)}
	case !isFloat(d):
		return element{}
	}
	return element{n: c.compareReals(how, d, a.r, b.r)}
}

// compareReals decides a comparison of floats for all values of the symbols. Fractions are
// compared by cross multiplication, which is exact when their denominators are powers of two.
func (c *call) compareReals(how string, d onnx.DType, a, b real) expr {
	if d == onnx.Float {
		a, b = c.e.asFraction(a), c.e.asFraction(b)
	}
	p := c.pool()
	switch {
	case a.kind == constReal && b.kind == constReal:
		if math.IsNaN(a.x) || math.IsNaN(b.x) {
			return nil
		}
		sign := int64(0)
		if a.x < b.x {
			sign = -1
		} else if a.x > b.x {
			sign = 1
		}
		return c.truth(c.decide(how, p.Const(sign), p.Const(0)))
	case a.kind == fracReal && b.kind == fracReal && a.dyadic() && b.dyadic():
		x, y := p.Mul(a.num, b.den), p.Mul(b.num, a.den)
		if x != nil && y != nil {
			return c.truth(c.decide(how, x, y))
		}
	}
	return nil
}

// dataBinary makes that of two operands, which broadcast; before broadcastMin operators had broadcasting rules
// of their own.
func dataBinary(how string) func(*call) {
	return func(c *call) {
		if c.version < broadcastMin || len(c.ins) != 2 {
			return
		}
		c.zip(func(args []element) element { return c.combineElements(how, args[0], args[1]) })
	}
}

func dataVariadic(how string) func(*call) {
	return func(c *call) {
		c.zip(func(args []element) element {
			out := args[0]
			for _, x := range args[1:] {
				out = c.combineElements(how, out, x)
			}
			return out
		})
	}
}

// dataClip bounds elements from below and above.
func dataClip(c *call) {
	v := c.in(0)
	if !v.hasElements() || c.version < 11 { // the bounds were attributes
		return
	}
	list := make([]element, v.count())
	for i := range list {
		list[i] = v.element(i)
		for k, how := range [...]string{"max", "min"} {
			if c.has(k + 1) {
				list[i] = c.combineElements(how, list[i], c.in(k+1).element(0))
			}
		}
	}
	c.setElements(0, list)
}

// dataReduce reduces all elements. Floats are reduced only when at most one operation is needed.
func dataReduce(how string) func(*call) {
	return func(c *call) {
		v := c.in(0)
		if !v.hasElements() || v.count() < 1 || c.outs[0].count() != 1 {
			return
		}
		if _, all, known := c.reduceAxes(); !known || !all && len(v.Dims) != 1 {
			return
		}
		out := v.element(0)
		for i := 1; i < v.count(); i++ {
			out = c.combineElements(how, out, v.element(i))
		}
		if out.r.kind == constReal && v.count() > 2 {
			return // the order of the operations decides how it is rounded
		}
		c.setElements(0, []element{out})
	}
}
