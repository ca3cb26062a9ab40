package inference

// This file follows the elements of small tensors through the operators that sizes
// are computed with. A rule of a type ran before; the results' dimensions are
// there.

import (
	"math"
	"slices"

	"shapecheck/internal/onnx"
)

// dataSame passes the elements on in their order.
func dataSame(c *call) {
	c.setInts(0, c.in(0).ints)
	if f := c.in(0).floats; f != nil && c.outs[0].count() == len(f) {
		c.outs[0].floats = f
	}
}

func dataCast(c *call) {
	v, out := c.in(0), c.outs[0]
	n := out.count()
	if n < 0 {
		return
	}
	switch {
	case v.ints != nil && out.Elem == onnx.Bool:
		list := make([]expr, len(v.ints))
		for i, x := range v.ints {
			if x != nil {
				list[i] = c.truth(c.decide("ne", x, c.pool().Const(0)))
			}
		}
		c.setInts(0, list)
	case v.ints != nil && isInt(out.Elem):
		c.setInts(0, v.ints)
	case v.ints != nil && isFloat(out.Elem):
		if list, ok := constants(v.ints); ok {
			f := make([]float64, len(list))
			for i, x := range list {
				if f[i] = rounded(out.Elem, float64(x)); int64(f[i]) != x {
					return
				}
			}
			out.floats = f
		}
	case v.floats != nil && isFloat(out.Elem):
		f := make([]float64, len(v.floats))
		for i, x := range v.floats {
			f[i] = rounded(out.Elem, x)
		}
		out.floats = f
	case v.floats != nil && isInt(out.Elem) && out.Elem != onnx.Bool:
		list := make([]expr, len(v.floats))
		for i, x := range v.floats {
			if math.Abs(x) < 1<<53 {
				list[i] = c.pool().Const(int64(x))
			}
		}
		c.setInts(0, list)
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

func (c *call) truth(yes, known bool) expr {
	switch {
	case !known:
		return nil
	case yes:
		return c.pool().Const(1)
	}
	return c.pool().Const(0)
}

// decide compares two integers for all values of their symbols.
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
			return
		}
		if v.floats == nil || c.outs[0].count() != len(v.floats) || !isFloat(v.Elem) {
			return
		}
		f := map[string]func(float64) float64{
			"abs": math.Abs, "neg": func(x float64) float64 { return -x }, "ceil": math.Ceil, "floor": math.Floor, "round": math.RoundToEven,
			"sqrt": math.Sqrt, "reciprocal": func(x float64) float64 { return 1 / x }, "relu": func(x float64) float64 { return max(x, 0) },
		}[how]
		if f == nil {
			return
		}
		out := make([]float64, len(v.floats))
		for i, x := range v.floats {
			out[i] = rounded(v.Elem, f(x))
		}
		c.outs[0].floats = out
	}
}

// at gives element i of the broadcast of a list with dimensions from to the shape to.
func broadcastIndex(i int, from, to []int64) int {
	at, stride := 0, 1
	for k := range to {
		j := len(to) - 1 - k
		pos := i % int(to[j])
		i /= int(to[j])
		if f := len(from) - 1 - k; f >= 0 {
			if from[f] != 1 {
				at += pos * stride
			}
			stride *= int(from[f])
		}
	}
	return at
}

// zip computes the elements of the result of a broadcasting operator.
func (c *call) zip(f func(args []expr) expr) {
	to, ok := c.outs[0].constShape()
	n := c.outs[0].count()
	if !ok || n < 0 {
		return
	}
	shapes := make([][]int64, len(c.ins))
	for i, v := range c.ins {
		if v == nil || v.ints == nil {
			return
		}
		if shapes[i], ok = v.constShape(); !ok || v.count() != len(v.ints) {
			return
		}
	}
	list := make([]expr, n)
	args := make([]expr, len(c.ins))
	for i := range list {
		for j, v := range c.ins {
			at := broadcastIndex(i, shapes[j], to)
			if at >= len(v.ints) {
				return
			}
			args[j] = v.ints[at]
		}
		list[i] = f(args)
	}
	c.setInts(0, list)
}

// combine applies an operator to two integers; nil when the result is not known.
func (c *call) combine(how string, a, b expr) expr {
	p := c.pool()
	if a == nil || b == nil {
		if how == "mul" && (a != nil && a.IsConst(0) || b != nil && b.IsConst(0)) || how == "and" && (a != nil && a.IsConst(0) || b != nil && b.IsConst(0)) {
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
		fmod := c.attrInt("fmod", 0) != 0
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

func dataBinary(how string) func(*call) {
	return func(c *call) {
		if c.version < broadcastMin || len(c.ins) != 2 {
			return
		}
		c.zip(func(args []expr) expr { return c.combine(how, args[0], args[1]) })
		c.zipFloats(how)
	}
}

// zipFloats is zip for constants of floating point types.
func (c *call) zipFloats(how string) {
	a, b, out := c.in(0), c.in(1), c.outs[0]
	f := map[string]func(x, y float64) float64{
		"add": func(x, y float64) float64 { return x + y }, "sub": func(x, y float64) float64 { return x - y },
		"mul": func(x, y float64) float64 { return x * y }, "div": func(x, y float64) float64 { return x / y },
	}[how]
	n := out.count()
	if f == nil || a.floats == nil || b.floats == nil || n < 0 || !isFloat(out.Elem) {
		return
	}
	to, _ := out.constShape()
	from, ok := a.constShape()
	from2, ok2 := b.constShape()
	if !ok || !ok2 {
		return
	}
	list := make([]float64, n)
	for i := range list {
		j, k := broadcastIndex(i, from, to), broadcastIndex(i, from2, to)
		if j >= len(a.floats) || k >= len(b.floats) {
			return
		}
		list[i] = rounded(out.Elem, f(a.floats[j], b.floats[k]))
	}
	out.floats = list
}

func dataVariadic(how string) func(*call) {
	return func(c *call) {
		c.zip(func(args []expr) expr {
			out := args[0]
			for _, x := range args[1:] {
				out = c.combine(how, out, x)
			}
			return out
		})
	}
}

func dataWhere(c *call) {
	c.zip(func(args []expr) expr {
		switch {
		case args[1] != nil && args[1] == args[2]:
			return args[1]
		case args[0] == nil:
			return nil
		case isTrue(args[0]):
			return args[1]
		case args[0].IsConst(0):
			return args[2]
		}
		return nil
	})
}

// dataReduce reduces all elements.
func dataReduce(how string) func(*call) {
	return func(c *call) {
		v := c.in(0)
		if len(v.ints) == 0 || c.outs[0].count() != 1 {
			return
		}
		if _, all, known := c.reduceAxes(); !known || !all && len(v.Dims) != 1 {
			return
		}
		out := v.ints[0]
		for _, x := range v.ints[1:] {
			out = c.combine(how, out, x)
		}
		c.setInts(0, []expr{out})
	}
}

func dataTranspose(c *call) {
	if c.outs[0].Ranked && len(c.outs[0].Dims) < 2 {
		dataSame(c)
	}
}

// dataConcat joins elements along the first axis.
func dataConcat(c *call) {
	at := c.attrInt("axis", 1)
	if rank := len(c.outs[0].Dims); at != 0 && at != -int64(rank) {
		return
	}
	n := c.outs[0].count()
	if n < 0 {
		return
	}
	var list []expr
	var floats []float64
	for _, v := range c.ins {
		k := v.count()
		if k < 0 {
			return
		}
		if v.ints == nil {
			list = append(list, make([]expr, k)...)
		} else {
			list = append(list, v.ints...)
		}
		floats = append(floats, v.floats...)
	}
	c.setInts(0, list)
	if len(floats) == n && isFloat(c.outs[0].Elem) {
		c.outs[0].floats = floats
	}
}

func dataSplit(c *call) {
	v := c.in(0)
	if v.ints == nil || len(v.Dims) != 1 {
		return
	}
	at := 0
	for i, o := range c.outs {
		n := o.count()
		if n < 0 || at+n > len(v.ints) {
			return
		}
		c.setInts(i, v.ints[at:at+n])
		at += n
	}
}

func dataExpand(c *call) {
	v, out := c.in(0), c.outs[0]
	to, ok := out.constShape()
	from, ok2 := v.constShape()
	n := out.count()
	if !ok || !ok2 || n < 0 || v.ints == nil {
		return
	}
	list := make([]expr, n)
	for i := range list {
		at := broadcastIndex(i, from, to)
		if at >= len(v.ints) {
			return
		}
		list[i] = v.ints[at]
	}
	c.setInts(0, list)
}

// dataSlice cuts a vector.
func dataSlice(c *call) {
	v := c.in(0)
	if v.ints == nil && v.floats == nil || len(v.Dims) != 1 {
		return
	}
	starts, ends, axes, steps, ok := c.sliceArgs(1)
	if !ok || len(axes) != 1 {
		return
	}
	bounds, ok := constants([]expr{starts[0], ends[0], steps[0]})
	if !ok {
		return
	}
	n := int64(max(len(v.ints), len(v.floats)))
	from, to, step := bounds[0], bounds[1], bounds[2]
	fit := func(i, lo, hi int64) int64 {
		if i < 0 {
			i += n
		}
		return min(max(i, lo), hi)
	}
	var picked []int64
	if step > 0 {
		from, to = fit(from, 0, n), fit(to, 0, n)
		for i := from; i < to && len(picked) <= maxData; i += min(step, n) {
			picked = append(picked, i)
		}
	} else if step < 0 {
		from, to = fit(from, 0, n-1), fit(to, -1, n-1)
		for i := from; i > to && len(picked) <= maxData; i += max(step, -n) {
			picked = append(picked, i)
		}
	}
	if v.ints != nil {
		list := make([]expr, len(picked))
		for i, at := range picked {
			list[i] = v.ints[at]
		}
		c.setInts(0, list)
	} else if c.outs[0].count() == len(picked) {
		list := make([]float64, len(picked))
		for i, at := range picked {
			list[i] = v.floats[at]
		}
		c.outs[0].floats = list
	}
}

// dataGather picks elements of a vector.
func dataGather(c *call) {
	v := c.in(0)
	at, ok := c.ints(1)
	if v.ints == nil && v.floats == nil || len(v.Dims) != 1 || !ok {
		return
	}
	n := int64(max(len(v.ints), len(v.floats)))
	list := make([]expr, len(at))
	floats := make([]float64, len(at))
	for i, k := range at {
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			return
		}
		if v.ints != nil {
			list[i] = v.ints[k]
		} else {
			floats[i] = v.floats[k]
		}
	}
	if v.ints != nil {
		c.setInts(0, list)
	} else if c.outs[0].count() == len(floats) {
		c.outs[0].floats = floats
	}
}

func dataConstantOfShape(c *call) {
	n := c.outs[0].count()
	if n < 0 {
		return
	}
	a := c.attr("value")
	if a == nil || a.Tensor == nil {
		c.outs[0].floats = make([]float64, n)
		return
	}
	v := c.e.constant(a.Tensor)
	if len(v.ints) == 1 {
		c.setInts(0, slices.Repeat(v.ints, n))
	} else if len(v.floats) == 1 {
		c.outs[0].floats = slices.Repeat(v.floats, n)
	}
}

func dataShape(c *call) {
	if in, ok := c.dims(0); ok {
		from, to := c.span(len(in))
		c.setInts(0, in[from:to])
	}
}

func dataSize(c *call) {
	if in, ok := c.dims(0); ok {
		c.setInts(0, []expr{c.numel(in)})
	}
}

func dataRange(c *call) {
	n := c.outs[0].count()
	start, step := c.scalar(0), c.scalar(2)
	if n < 0 || start == nil || step == nil {
		return
	}
	list := make([]expr, n)
	for i := range list {
		list[i] = c.pool().Add(start, c.pool().Mul(step, c.pool().Const(int64(i))))
	}
	c.setInts(0, list)
}
