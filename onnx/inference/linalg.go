package inference

// This file holds products of matrices, and einsum.
//
// An inner dimension whose two sizes can never be equal is an error. Where they may be equal nothing is reported: a model
// that runs for some sizes is right (unify).

import (
	"slices"
	"strings"

	"shapecheck/onnx"
)

var linalgOps = [...]op{
	{"MatMul", matMul, nil},
	{"MatMulInteger", matMulInteger, nil},
	{"QLinearMatMul", qLinearMatMul, nil},
	{"Gemm", gemm, nil},
	{"Einsum", einsum, nil},
}

// matMul, matMulInteger and qLinearMatMul differ in the element type of the result: that of the
// operands, int32 for sums of 8 bit products, or that of the result's zero point, input 7. The right
// operand of qLinearMatMul is input 3, behind the scale and the zero point of the left one.
func matMul(c *call) {
	d := c.sameElem(0, 1)
	c.product(d, 0, 1)
}

func matMulInteger(c *call) { c.product(onnx.Int32, 0, 1) }

func qLinearMatMul(c *call) { c.product(c.elem(7), 0, 3) }

// product gives result 0 the shape of numpy's matmul of inputs i and j. A vector on the left is a
// row and one on the right a column, whose axis the result lacks; all axes in front of the last
// two are a batch, which broadcasts. A tensor without axes is an error.
func (c *call) product(d onnx.DType, i, j int) {
	if c.failed {
		return
	}
	a, ok := c.dims(i)
	b, ok2 := c.dims(j)
	if !ok || !ok2 {
		c.outUnranked(0, d)
		return
	}
	if len(a) == 0 || len(b) == 0 {
		c.errorf("a product of %s and %s: both must have a dimension", c.in(i).Type, c.in(j).Type)
		return
	}
	row, col := len(a) > 1, len(b) > 1
	inner := b[0]
	if col {
		inner = b[len(b)-2]
	}
	c.unify(a[len(a)-1], inner, "the matrices %s and %s do not fit", c.in(i).Type, c.in(j).Type)
	var out []expr
	if row && col {
		out = c.broadcast(a[:len(a)-2], b[:len(b)-2])
	} else if row {
		out = slices.Clone(a[:len(a)-2])
	} else if col {
		out = slices.Clone(b[:len(b)-2])
	}
	if row {
		out = append(out, a[len(a)-2])
	}
	if col {
		out = append(out, b[len(b)-1])
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// gemm is A·B + C: A is [M, K] or with transA [K, M], B is [K, N] or with transB [N, K], and C, which may be absent,
// broadcasts to [M, N]. The result has two dimensions also where nothing is known of A and B. C is checked from opset 7
// on; before, the attribute broadcast says whether it broadcasts.
func gemm(c *call) {
	d := c.sameElem(0, 1, 2)
	a, ok := c.ranked(0, 2)
	b, ok2 := c.ranked(1, 2)
	if c.failed {
		return
	}
	out := make([]expr, 2)
	var kA, kB expr // K, as A and B have it
	if ok {
		out[0], kA = a[0], a[1]
		if c.a.Bool("transA") {
			out[0], kA = a[1], a[0]
		}
	}
	if ok2 {
		kB, out[1] = b[0], b[1]
		if c.a.Bool("transB") {
			kB, out[1] = b[1], b[0]
		}
	}
	c.unify(kA, kB, "the matrices %s and %s do not fit", c.in(0).Type, c.in(1).Type)
	if x, ok := c.dims(2); ok && c.version >= 7 {
		if len(x) > 2 {
			c.errorAt(2, "%s cannot be broadcast to two dimensions", c.in(2).Type)
			return
		}
		for i, s := range x {
			if to := out[2-len(x)+i]; to != nil && low(s) >= 2 && c.e.neverEqual(s, to) {
				c.errorAt(2, "%s does not fit the product [%s, %s]", c.in(2).Type, out[0], out[1])
			}
		}
	}
	if !c.failed {
		c.out(0, d, out)
	}
}

// einsum computes the result's shape from the equation. Labels are letters; an ellipsis stands for any number
// of dimensions, which broadcast. The operator is numpy's: labels that the right side lacks are
// summed over; without an arrow the result has the labels that stand once, in alphabetical order,
// behind the ellipsis. An axis of size 1 broadcasts against another size of the same label.
func einsum(c *call) {
	ins := make([]int, len(c.ins))
	for i := range ins {
		ins[i] = i
	}
	d := c.sameElem(ins...)
	if c.failed {
		return
	}
	equation := strings.ReplaceAll(c.a.String("equation"), " ", "")
	left, right, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(c.ins) {
		c.errorf("the equation %q is for %d inputs; the node has %d", equation, len(terms), len(c.ins))
		return
	}
	// rest is the common shape of the dimensions that the ellipses stand for, as long as all
	// inputs with one are known.
	sizes := map[rune]expr{}
	count := map[rune]int{}
	var rest []expr
	restKnown, dotted := true, false
	for i, term := range terms {
		before, after, dots := strings.Cut(term, "...")
		dotted = dotted || dots
		for _, r := range before + after {
			count[r]++
		}
		x, ok := c.dims(i)
		if !ok {
			restKnown = restKnown && !dots
			continue
		}
		labels := []rune(before + after)
		if len(labels) > len(x) || !dots && len(labels) != len(x) {
			c.errorAt(i, "%s has %d dimensions; the equation %q names %d", c.in(i).Type, len(x), equation, len(labels))
			return
		}
		head := len([]rune(before))
		tail := len(x) - (len(labels) - head)
		for j, r := range labels {
			at := j
			if j >= head {
				at = tail + j - head
			}
			switch old := sizes[r]; {
			case old == nil || old.IsConst(1):
				sizes[r] = x[at]
			case x[at].IsConst(1):
			default:
				sizes[r] = c.unify(old, x[at], "label %c of the equation %q has two sizes", r, equation)
			}
		}
		if dots {
			rest = c.broadcast(rest, x[head:tail])
		}
	}
	if c.failed {
		return
	}
	if !explicit { // labels that occur once, in alphabetical order
		var once []rune
		for r, n := range count {
			if n == 1 {
				once = append(once, r)
			}
		}
		slices.Sort(once)
		right = string(once)
		if dotted {
			right = "..." + right
		}
	}
	before, after, dots := strings.Cut(right, "...")
	if dots && !restKnown {
		c.outUnranked(0, d)
		return
	}
	var out []expr
	for _, r := range before {
		out = append(out, sizes[r])
	}
	if dots {
		out = append(out, rest...)
	}
	for _, r := range after {
		out = append(out, sizes[r])
	}
	for _, r := range before + after {
		if count[r] == 0 {
			c.errorf("label %c of the result is in no input of the equation %q", r, equation)
			return
		}
	}
	c.out(0, d, out)
}
