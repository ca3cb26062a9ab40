package eval

// This file is Einstein's summation.

import (
	"slices"
	"strings"

	"shapecheck/onnx"
)

// dots stand for the dimensions that "..." covers, counted from the last one.
const dots rune = 0x1000

// einsum goes over the positions of all labels at once and multiplies the operands' elements there: slow and
// plain. A label has one size in all operands, or 1, which broadcasts. A label that an operand repeats takes
// its diagonal, since both axes add to one step. Without an arrow the result has the axes of the ellipsis and
// then the labels that occur once, in alphabetical order.
func einsum(c *call) []Value {
	ins := c.tensors(0)
	eq := strings.ReplaceAll(c.text("equation"), " ", "")
	left, right, explicit := strings.Cut(eq, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(ins) {
		c.failf("the equation %s for %d tensors", eq, len(ins))
	}
	size := map[rune]int64{}
	seen := map[rune]int{}
	labels := make([][]rune, len(ins))
	ellipsis := 0
	for i, t := range terms {
		c.same(ins[0], ins[i])
		covered := len(ins[i].Dims) - len(strings.ReplaceAll(t, "...", ""))
		if strings.Contains(t, "...") {
			ellipsis = max(ellipsis, covered)
		}
		labels[i] = c.labels(eq, t, covered)
		if len(labels[i]) != len(ins[i].Dims) {
			c.failf("the equation %s for tensors of the sizes %v", eq, ins[i].Dims)
		}
		for a, r := range labels[i] {
			d := ins[i].Dims[a]
			seen[r]++
			if old, ok := size[r]; !ok || old == 1 {
				size[r] = d
			} else if d != old && d != 1 {
				c.failf("sizes %d and %d do not fit", old, d)
			}
		}
	}
	var letters []rune
	if explicit {
		letters = c.labels(eq, right, ellipsis)
	} else {
		for k := range ellipsis {
			letters = append(letters, dots+rune(ellipsis-1-k))
		}
		var once []rune
		for r, n := range seen {
			if n == 1 && r < dots {
				once = append(once, r)
			}
		}
		slices.Sort(once)
		letters = append(letters, once...)
	}
	rank := len(letters)
	for i, r := range letters {
		if _, ok := size[r]; !ok || slices.Contains(letters[:i], r) {
			c.failf("the equation %s", eq)
		}
	}
	for _, l := range labels {
		for _, r := range l {
			if !slices.Contains(letters, r) {
				letters = append(letters, r)
			}
		}
	}
	full := make([]int64, len(letters))
	for i, r := range letters {
		full[i] = size[r]
	}
	if _, err := onnx.Count(full); err != nil {
		c.failf("%v", err)
	}
	steps := make([][]int, len(ins))
	for i, l := range labels {
		own := strides(ins[i].Dims)
		steps[i] = make([]int, len(letters))
		for a, r := range l {
			if ins[i].Dims[a] != 1 {
				steps[i][slices.Index(letters, r)] += own[a]
			}
		}
	}
	out := c.make(ins[0].DType, slices.Clone(full[:rank]))
	rows := strides(full[:rank])
	if ins[0].F == nil && ins[0].I == nil {
		c.failf("elements of type %s", ins[0].DType)
	}
	c.walk(full, func(_ int, pos []int64) {
		at := dot(pos[:rank], rows)
		f, k := 1.0, int64(1)
		for i, x := range ins {
			if p := dot(pos, steps[i]); x.F != nil {
				f *= x.F[p]
			} else {
				k *= x.I[p]
			}
		}
		if out.F != nil {
			out.F[at] += f
		} else {
			out.I[at] += k
		}
	})
	return []Value{out}
}

// labels reads a term; "..." stands for some dimensions.
func (c *call) labels(eq, term string, covered int) []rune {
	var out []rune
	before, after, has := strings.Cut(term, "...")
	for _, r := range before {
		out = append(out, r)
	}
	if has {
		for k := range max(covered, 0) {
			out = append(out, dots+rune(covered-1-k))
		}
		for _, r := range after {
			out = append(out, r)
		}
	}
	for _, r := range out {
		if r < dots && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			c.failf("the equation %s", eq)
		}
	}
	return out
}
