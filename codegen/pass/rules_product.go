package pass

// This file holds the rules of products.
//
// An Einsum is a sum over the letters that the result does not have, of products of one element
// of each operand. It is written with the operators that kernels are fast for: letters that one
// operand alone has are summed by ReduceSum, and two operands are a product of stacks of matrices
// when they share summed letters. Letters fall into four groups for that: those of both operands
// and the result (the stack), those of the left and the result (rows), those of the right and the
// result (columns), and those of both that are summed.

import (
	"slices"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

var productRules = []Rule{
	{Name: "einsum-product", Ops: []string{"Einsum"}, Apply: einsumRule(true)},
	// Sums that are rounded in between, and products alone, whose -0 stays -0.
	{Name: "einsum-parts", Class: Rounding, Ops: []string{"Einsum"}, Apply: einsumRule(false)},
}

// Whether something is rounded in between decides the class of the rule; both rules are the same
// but for that.
func einsumRule(exact bool) func(*Context, *ir.Graph, *ir.Node, func() bool) ([]*ir.Value, error) {
	return func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error) {
		e := c.einsumOf(n)
		if e == nil || e.exact() != exact || !e.bounded() || !ok() {
			return nil, nil
		}
		y, err := e.write(c, g, n)
		if err != nil {
			return nil, err
		}
		return []*ir.Value{y}, nil
	}
}

// view makes a value of the same elements with other dimensions, or gives the value
// itself when it has them. It is a node only where the sizes differ; the caller knows that the
// numbers of elements are equal.
func (c *Context) view(g *ir.Graph, before *ir.Node, v *ir.Value, dims []*symshape.Expr) *ir.Value {
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	t := v.Type
	t.Dims = dims
	n := c.Module.AddNode(g, before, ir.Spec{Op: c.record(isa.MachineDomain, "view"), Ins: []*ir.Value{v}, Types: []inference.Type{t},
		From: ir.Union(c.pass.Name, before.From)})
	return n.Outs[0]
}

// machineNode makes a machine's node of one result with attributes.
func (c *Context) machineNode(g *ir.Graph, before *ir.Node, name string, t inference.Type, from ir.Origin, ins []*ir.Value,
	attrs ...*onnx.Attr,
) (*ir.Node, error) {
	rec := c.record(isa.MachineDomain, name)
	a, err := rec.Schema.Decode(&onnx.Node{Op: name, Attrs: attrs}, nil)
	if err != nil {
		return nil, err
	}
	return c.Module.AddNode(g, before, ir.Spec{Op: rec, Ins: ins, Attr: a, Types: []inference.Type{t}, From: ir.Union(c.pass.Name, from)}), nil
}

// An einsum is a sum of products of tensors. Terms name the axes of tensors by letters, each
// once. size gives the size of each letter, the largest one where some operands have 1 there.
type einsum struct {
	ins   []*ir.Value
	terms []string
	out   string
	size  map[rune]*symshape.Expr
}

const einsumLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// einsumOf reads an Einsum of known ranks with at most three operands, in which no letter is twice in a term. Dimensions
// of "..." get letters, and axes of size 1 that are broadcast are left out of their terms.
// Without an arrow the result has, after the axes of "...", the letters that occur once, in
// alphabetical order, as numpy has it. Letters are renamed to the first ones of the alphabet, so
// that axes of "..." have one too. It gives up on a letter that is twice in a term (a diagonal),
// on sizes that are not known to be equal, on more axes than letters, and on a result whose sizes
// are not those that inference gave.
func (c *Context) einsumOf(n *ir.Node) *einsum {
	y := n.Outs[0].Type
	in, out, explicit := strings.Cut(strings.ReplaceAll(n.Attr.String("equation"), " ", ""), "->")
	terms := strings.Split(in, ",")
	if len(terms) != len(n.Ins) || len(terms) > 3 || !isFloat(y.Elem) || !y.Ranked {
		return nil
	}
	e := &einsum{ins: n.Ins, size: map[rune]*symshape.Expr{}}
	labels := make([][]rune, len(terms))
	covered, count := 0, map[rune]int{}
	for i, term := range terms {
		if !n.Ins[i].Type.Ranked {
			return nil
		}
		dims := n.Ins[i].Type.Dims
		own := len(dims) - len(strings.Replace(term, "...", "", 1))
		var ok bool
		if labels[i], ok = einsumLabels(term, own); !ok || len(labels[i]) != len(dims) {
			return nil
		}
		if strings.Contains(term, "...") {
			covered = max(covered, own)
		}
		for k, r := range labels[i] {
			if slices.Contains(labels[i][:k], r) {
				return nil
			}
			count[r]++
			if old := e.size[r]; old == nil || old.IsConst(1) {
				e.size[r] = dims[k]
			} else if old != dims[k] && !dims[k].IsConst(1) {
				return nil
			}
		}
	}
	if !explicit {
		out = "..."
	}
	result, ok := einsumLabels(out, covered)
	if !explicit {
		var once []rune
		for r, k := range count {
			if k == 1 && strings.ContainsRune(einsumLetters, r) {
				once = append(once, r)
			}
		}
		slices.Sort(once)
		result = append(result, once...)
	}
	names := map[rune]rune{}
	var all []*symshape.Expr
	for i, list := range labels {
		term := ""
		for k, r := range list {
			if names[r] == 0 {
				if len(names) == len(einsumLetters) {
					return nil
				}
				names[r] = rune(einsumLetters[len(names)])
				all = append(all, e.size[r])
			}
			if n.Ins[i].Type.Dims[k] == e.size[r] {
				term += string(names[r])
			}
		}
		e.terms = append(e.terms, term)
	}
	var dims []*symshape.Expr
	for _, r := range result {
		if names[r] == 0 || strings.ContainsRune(e.out, names[r]) {
			return nil
		}
		e.out += string(names[r])
		dims = append(dims, e.size[r])
	}
	if !ok || !slices.Equal(dims, y.Dims) || c.product(all) == nil {
		return nil
	}
	sizes := map[rune]*symshape.Expr{}
	for r, name := range names {
		sizes[name] = e.size[r]
	}
	e.size = sizes
	return e
}

// einsumLabels reads a term and reports whether it is one; "..." stands for some dimensions, which are labelled by their
// places from the end. They count from the end, as broadcasting aligns axes at their ends; their
// numbers are beyond all letters.
func einsumLabels(term string, covered int) (labels []rune, ok bool) {
	before, after, dots := strings.Cut(term, "...")
	for _, r := range before + after {
		if !strings.ContainsRune(einsumLetters, r) {
			return nil, false
		}
	}
	labels = []rune(before)
	for k := covered - 1; dots && k >= 0; k-- {
		labels = append(labels, 0x1000+rune(k))
	}
	return append(labels, []rune(after)...), true
}

// letters gives those of a term that pass a test.
func letters(term string, keep func(r rune) bool) string {
	return strings.Map(func(r rune) rune {
		if keep(r) {
			return r
		}
		return -1
	}, term)
}

// needed gives the letters of a term that others or the result have, too.
func (e *einsum) needed(i int) string {
	return letters(e.terms[i], func(r rune) bool {
		for k, other := range e.terms {
			if k != i && strings.ContainsRune(other, r) {
				return true
			}
		}
		return strings.ContainsRune(e.out, r)
	})
}

// summed gives the letters that two terms have and the result has not.
func (e *einsum) summed() string {
	return letters(e.terms[0], func(r rune) bool { return strings.ContainsRune(e.terms[1], r) && !strings.ContainsRune(e.out, r) })
}

// exact reports whether it is one sum, so that it is rounded once: of one tensor, or of one
// product. With two operands nothing may be left to sum before the product.
func (e *einsum) exact() bool {
	switch len(e.terms) {
	case 1:
		return e.needed(0) != e.terms[0]
	case 2:
		return e.needed(0) == e.terms[0] && e.needed(1) == e.terms[1] && e.summed() != ""
	}
	return false
}

// reduced is the einsum without letters that only one operand has.
func (e *einsum) reduced() *einsum {
	r := *e
	r.terms = nil
	for i := range e.terms {
		r.terms = append(r.terms, e.needed(i))
	}
	return &r
}

// bounded reports whether what is between is no larger than a product makes it. Without it an
// outer product of two operands could be made that is larger than anything the model has.
func (e *einsum) bounded() bool { return len(e.terms) < 3 || e.reduced().pair() != nil }

// pair is the product of the first two of three tensors that sums something, or makes nothing larger than an operand or the
// result has; nil: there is none. Its operands are the first ones; what is left comes as the
// last. All three pairs are tried in the order of the operands. The intermediate result keeps the
// letters that the third operand or the result needs.
func (e *einsum) pair() *einsum {
	for _, at := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}} {
		a, b, last := e.terms[at[0]], e.terms[at[1]], e.terms[at[2]]
		later := func(r rune) bool { return strings.ContainsRune(last+e.out, r) }
		inA := func(r rune) bool { return strings.ContainsRune(a, r) }
		inB := func(r rune) bool { return strings.ContainsRune(b, r) }
		p := &einsum{ins: []*ir.Value{e.ins[at[0]], e.ins[at[1]], e.ins[at[2]]}, terms: []string{a, b, last}, size: e.size}
		p.out = letters(a, func(r rune) bool { return inB(r) && later(r) }) + letters(a, func(r rune) bool { return !inB(r) }) +
			letters(b, func(r rune) bool { return !inA(r) })
		within := func(term string) bool {
			return letters(p.out, func(r rune) bool { return !strings.ContainsRune(term, r) }) == ""
		}
		if p.summed() != "" || within(a) || within(b) || within(last) || within(e.out) {
			return p
		}
	}
	return nil
}

// of gives the sizes of letters.
func (e *einsum) of(term string) []*symshape.Expr {
	out := []*symshape.Expr{}
	for _, r := range term {
		out = append(out, e.size[r])
	}
	return out
}

// write makes sums of what one operand alone has, and of what is left products, one at a time.
// Each step's result is exact in its letters, so the next one can be read as an einsum of its
// own. The error is of making a node.
func (e *einsum) write(c *Context, g *ir.Graph, n *ir.Node) (*ir.Value, error) {
	terms := e.reduced().terms
	ins := slices.Clone(e.ins)
	for i, v := range e.ins {
		var err error
		v = c.view(g, n, v, e.of(e.terms[i])) // without axes that are broadcast
		if ins[i], err = e.sum(c, g, n, v, e.terms[i], terms[i]); err != nil {
			return nil, err
		}
	}
	r := &einsum{ins: ins, terms: terms, out: e.out, size: e.size}
	switch len(terms) {
	case 1:
		return turn(c, g, n, ins[0], terms[0], e.out)
	case 3:
		p := r.pair()
		first := &einsum{ins: p.ins[:2], terms: p.terms[:2], out: p.out, size: e.size}
		v, err := first.product(c, g, n)
		if err != nil {
			return nil, err
		}
		r = &einsum{ins: []*ir.Value{v, p.ins[2]}, terms: []string{p.out, p.terms[2]}, out: e.out, size: e.size}
	}
	return r.product(c, g, n)
}

// sum adds up the axes of a tensor that a part of its term does not have.
func (e *einsum) sum(c *Context, g *ir.Graph, n *ir.Node, v *ir.Value, term, part string) (*ir.Value, error) {
	var axes []int64
	for i, r := range term {
		if !strings.ContainsRune(part, r) {
			axes = append(axes, int64(i))
		}
	}
	if axes == nil {
		return v, nil
	}
	list, err := c.Module.AddConst("", onnx.NewInts(nil, axes...))
	if err != nil {
		return nil, err
	}
	return e.node(c, g, n, "ReduceSum", e.of(part), []*ir.Value{v, list}, onnx.IntAttr("keepdims", 0))
}

// node makes a node of one result that has the element type of the sum.
func (e *einsum) node(c *Context, g *ir.Graph, n *ir.Node, name string, dims []*symshape.Expr, ins []*ir.Value,
	attrs ...*onnx.Attr) (*ir.Value, error) {
	t := n.Outs[0].Type
	t.Dims = dims
	m, err := c.MakeAs(g, n, name, t, n.From, ins, attrs...)
	if err != nil {
		return nil, err
	}
	return m.Outs[0], nil
}

// turn transposes a tensor with the letters of a term to those of another order. to is a
// permutation of from.
func turn(c *Context, g *ir.Graph, n *ir.Node, v *ir.Value, from, to string) (*ir.Value, error) {
	if from == to {
		return v, nil
	}
	perm := make([]int64, 0, len(to))
	for _, r := range to {
		perm = append(perm, int64(strings.IndexRune(from, r)))
	}
	m, err := c.Make(g, n, "Transpose", 1, n.From, []*ir.Value{v}, onnx.IntsAttr("perm", perm...))
	if err != nil {
		return nil, err
	}
	return m.Outs[0], nil
}

// product makes a product of stacks of matrices of two tensors, or of elements where nothing is summed. Their letters
// are those of the stacks, rows, columns, and of what is summed. Both operands are transposed to
// [stack, rows, summed] and [stack, summed, columns] and viewed as matrices; the product is
// viewed back and transposed to the result's order. Transposes that the product can do itself are
// merged later.
func (e *einsum) product(c *Context, g *ir.Graph, n *ir.Node) (*ir.Value, error) {
	sum := e.summed()
	if sum == "" {
		return e.elements(c, g, n)
	}
	in := func(term string, want bool) func(r rune) bool {
		return func(r rune) bool { return strings.ContainsRune(term, r) == want && !strings.ContainsRune(sum, r) }
	}
	batch, left, right := letters(e.terms[0], in(e.terms[1], true)), letters(e.terms[0], in(e.terms[1], false)),
		letters(e.terms[1], in(e.terms[0], false))
	rows, cols, deep := c.product(e.of(left)), c.product(e.of(right)), c.product(e.of(sum))
	a, err := turn(c, g, n, e.ins[0], e.terms[0], batch+left+sum)
	if err != nil {
		return nil, err
	}
	b, err := turn(c, g, n, e.ins[1], e.terms[1], batch+sum+right)
	if err != nil {
		return nil, err
	}
	a = c.view(g, n, a, append(e.of(batch), rows, deep))
	b = c.view(g, n, b, append(e.of(batch), deep, cols))
	y, err := e.node(c, g, n, "MatMul", append(e.of(batch), rows, cols), []*ir.Value{a, b})
	if err != nil {
		return nil, err
	}
	return turn(c, g, n, c.view(g, n, y, e.of(batch+left+right)), batch+left+right, e.out)
}

// elements makes a product of elements; an axis that one tensor has not has there the size 1.
// Leading missing axes are left out, as broadcasting adds them.
func (e *einsum) elements(c *Context, g *ir.Graph, n *ir.Node) (*ir.Value, error) {
	ins := make([]*ir.Value, 2)
	for i, v := range e.ins {
		own := func(r rune) bool { return strings.ContainsRune(e.terms[i], r) }
		v, err := turn(c, g, n, v, e.terms[i], letters(e.out, own))
		if err != nil {
			return nil, err
		}
		dims := []*symshape.Expr{}
		for _, r := range e.out {
			if own(r) {
				dims = append(dims, e.size[r])
			} else if len(dims) > 0 {
				dims = append(dims, c.Module.Pool.Const(1))
			}
		}
		ins[i] = c.view(g, n, v, dims)
	}
	return e.node(c, g, n, "Mul", e.of(e.out), ins)
}
