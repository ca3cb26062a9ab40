package inference

// This file holds operators that make tensors of sizes and constants.
//
// Such operators are where shape computations begin and end: Shape makes data of dimensions,
// ConstantOfShape and Range make dimensions of data. The rules for types are here, those that
// compute elements are in data.go.

import (
	"math"

	"shapecheck/onnx"
)

var createOps = [...]op{
	{"Constant", constant, nil},
	{"ConstantOfShape", constantOfShape, dataConstantOfShape},
	{"Shape", shape, dataShape},
	{"Size", size, dataSize},
	{"Range", rangeRule, dataRange},
	{"RandomNormal", random, nil},
	{"RandomUniform", random, nil},
	{"Multinomial", multinomial, nil},
}

// constant has exactly one of its attributes. Lists that are longer than maxData are no sizes, and are not
// kept.
func constant(c *call) {
	p := c.pool()
	switch a := c.a; {
	case a.Has("value"):
		c.outs[0] = c.e.constant(a.Tensor("value"))
	case a.Has("value_int"):
		c.out(0, onnx.Int64, nil)
		c.setInts(0, []expr{p.Const(a.Int("value_int"))})
	case a.Has("value_ints"):
		list := a.Ints("value_ints")
		c.out(0, onnx.Int64, []expr{p.Const(int64(len(list)))})
		if len(list) <= maxData {
			c.setInts(0, c.e.consts(list))
		}
	case a.Has("value_float"):
		c.out(0, onnx.Float, nil)
		c.outs[0].floats = []float64{float64(a.Float("value_float"))}
	case a.Has("value_floats"):
		list := a.Floats("value_floats")
		c.out(0, onnx.Float, []expr{p.Const(int64(len(list)))})
		if len(list) <= maxData {
			wide := make([]float64, len(list))
			for i, f := range list {
				wide[i] = float64(f)
			}
			c.outs[0].floats = wide
		}
	case a.Has("value_string"):
		c.out(0, onnx.String, nil)
	case a.Has("value_strings"):
		c.out(0, onnx.String, []expr{p.Const(int64(len(a.Strings("value_strings"))))})
	case a.Has("sparse_value"): // its result is dense
		t := a.SparseTensor("sparse_value")
		if t.Values == nil {
			c.errorf("the attribute sparse_value has no values")
			return
		}
		c.out(0, t.Values.DType, c.e.consts(t.Dims))
	default:
		c.errorf("the constant has no value")
	}
}

// shaped gives result 0 the sizes that a one-dimensional input holds. A negative number is an
// error, an unknown one leaves its size unknown.
func (c *call) shaped(i int, d onnx.DType) {
	if c.ranked(i, 1); c.failed {
		return
	}
	n, sized := c.length(i)
	if !sized {
		c.outUnranked(0, d)
		return
	}
	out := make([]expr, n)
	if list, known := c.exprs(i); known {
		for j, x := range list {
			if x == nil {
				continue
			}
			if k, isConst := x.Const(); isConst && k < 0 {
				c.errorAt(i, "size %d is %d", j, k)
				return
			}
			out[j] = x
		}
	}
	c.out(0, d, out)
}

// constantOfShape has the element type of its attribute value, float32 by default.
func constantOfShape(c *call) {
	c.shaped(0, c.a.Tensor("value").DType)
}

// span gives the dimensions that Shape reads: start and end exist from opset 15 on. Negative ends
// count from the rank, and both are clamped, as in Python's slices. from <= to holds.
func (c *call) span(rank int) (from, to int) {
	bound := func(name string, def int) int {
		if !c.a.Has(name) {
			return def
		}
		n := c.a.Int(name)
		if n < 0 {
			n += int64(rank)
		}
		return int(min(max(n, 0), int64(rank)))
	}
	from, to = bound("start", 0), bound("end", rank)
	return from, max(from, to)
}

// shape is a vector of int64 of as many elements as dimensions are read.
func shape(c *call) {
	in, ok := c.dims(0)
	if !ok {
		c.outRank(0, onnx.Int64, 1)
		return
	}
	from, to := c.span(len(in))
	c.out(0, onnx.Int64, []expr{c.pool().Const(int64(to - from))})
}

// size is a number of int64.
func size(c *call) { c.out(0, onnx.Int64, nil) }

// rangeRule counts from start to limit. It has ceil((limit - start) / step) elements, or none if
// that is negative, for integers with a step of known sign; of a symbolic start, limit or step
// too. Floats go through steps. A step of 0 is an error.
func rangeRule(c *call) {
	d := c.sameElem(0, 1, 2)
	if c.failed {
		return
	}
	var n expr
	p := c.pool()
	one := func(i int) (expr, bool) {
		list, ok := c.exprs(i)
		if !ok || len(list) != 1 {
			return nil, false
		}
		return list[0], list[0] != nil
	}
	start, ok := one(0)
	limit, ok2 := one(1)
	delta, ok3 := one(2)
	if ok && ok2 && ok3 {
		if step, isConst := delta.Const(); isConst {
			switch {
			case step == 0:
				c.errorAt(2, "the step is 0")
				return
			case step > 0:
				n = p.CeilDiv(p.Sub(limit, start), delta)
			case step != math.MinInt64:
				n = p.CeilDiv(p.Sub(start, limit), p.Const(-step))
			}
			if n != nil {
				n = p.Max(p.Const(0), n)
			}
		} else if low(delta) >= 1 {
			if n = p.CeilDiv(p.Sub(limit, start), delta); n != nil {
				n = p.Max(p.Const(0), n)
			}
		}
	} else if isFloat(d) {
		n = c.steps(d, c.in(0).real(0), c.in(1).real(0), c.in(2).real(0))
	}
	c.out(0, d, []expr{n})
}

// steps gives the number of elements of a range of floats. Runtimes divide in
// binary64. d is the type of the operands, in which the difference is taken first. nil: the
// number is not known.
func (c *call) steps(d onnx.DType, start, limit, delta real) expr {
	e := c.e
	wide := func(r real) real { return e.convertReal(d, onnx.Double, r) }
	n := e.combineReals("div", onnx.Double, wide(e.combineReals("sub", d, limit, start)), wide(delta))
	switch x := n.x; {
	case n.kind == constReal && x < farAway: // the step is not 0
		return c.pool().Const(int64(math.Ceil(max(x, 0))))
	case n.kind == wideReal:
		if k := e.roundReal("ceil", onnx.Double, n); k != nil {
			return c.pool().Max(c.pool().Const(0), k)
		}
	}
	return nil
}

// random has its sizes and its element type in attributes.
func random(c *call) {
	list := c.a.Ints("shape")
	for _, n := range list {
		if n < 0 {
			c.errorf("the shape has the size %d", n)
			return
		}
	}
	c.out(0, c.a.DType("dtype"), c.e.consts(list))
}

// multinomial draws sample_size times from each row. The operand is [rows, categories] and the
// result [rows, sample_size].
func multinomial(c *call) {
	in, ok := c.ranked(0, 2)
	d := c.a.DType("dtype")
	if c.failed {
		return
	}
	out := []expr{nil, c.pool().Const(max(c.a.Int("sample_size"), 0))}
	if ok {
		out[0] = in[0]
	}
	c.out(0, d, out)
}
