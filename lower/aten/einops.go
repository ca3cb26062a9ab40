package aten

// This file lowers patterns of einops: reshape to the single axes of the left
// side, reduce and reorder them, insert new ones, reshape to the right side.
//
// Names that begin with "..." or "#" cannot be written in a pattern, so that the axes of an
// ellipsis and those given by numbers share one list of names with the others.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var einopsRecords = []Record{
	{Op: "einops.rearrange einops.repeat einops.reduce", Lower: rearrange},
	{Op: "einops.unpack", Lower: unpack},
	{Op: "einops.pack", None: "the operations that it consists of are recorded instead"},
	{Op: "einops.einsum", None: "torch.einsum is recorded instead"},
}

// patternSide reads one side of a pattern: the names of the axes of each dimension.
// An ellipsis stands for n dimensions; an axis given by a number is named by it and
// its place, but for 1, which is a dimension of no axes. n is the number of dimensions that an
// ellipsis stands for; in parentheses it merges them into the group's one dimension. The pattern
// was checked when the call was recorded, so that there are no error cases here.
func patternSide(text string, n int) [][]string {
	text = strings.NewReplacer("(", " ( ", ")", " ) ", "...", " ... ").Replace(text)
	var dims [][]string
	open := false
	add := func(group []string) { dims = append(dims, group) }
	for i, w := range strings.Fields(text) {
		var names []string
		number, err := strconv.ParseInt(w, 10, 64)
		switch {
		case w == "(":
			open = true
			add(nil)
			continue
		case w == ")":
			open = false
			continue
		case w == "...":
			for k := range n {
				names = append(names, "..."+strconv.Itoa(k))
			}
			if !open {
				for _, a := range names {
					add([]string{a})
				}
				continue
			}
		case err == nil && number == 1:
			if !open {
				add(nil)
			}
			continue
		case err == nil:
			names = []string{"#" + w + "@" + strconv.Itoa(i)}
		default:
			names = []string{w}
		}
		if open {
			dims[len(dims)-1] = append(dims[len(dims)-1], names...)
		} else {
			add(names)
		}
	}
	return dims
}

// dimOperand is a size given by an argument. ok is false for what is neither a number nor a size.
func dimOperand(p *symshape.Pool, o graph.Operand) (symshape.Dim, bool) {
	switch o := o.(type) {
	case graph.Int:
		return p.ConstDim(int64(o)), true
	case graph.Dim:
		return o.Dim, o.Expr != nil || o.Known
	case *graph.Value:
		if o.Symbol != nil {
			return symshape.Dim{Expr: o.Symbol}, true
		}
	}
	return symshape.Dim{}, false
}

// einSizes finds the size of each axis of the left side. At most one axis of a group may be
// unknown, whose size is the dimension's divided by the others'; einops checks that the division
// has no remainder.
func (c *Call) einSizes(left [][]string, shape symshape.Shape) map[string]symshape.Dim {
	sizes := map[string]symshape.Dim{}
	if d, ok := c.Arg("axes_lengths").(graph.Dict); ok {
		for _, a := range d {
			if n, ok := dimOperand(c.Pool, a.Value); ok {
				sizes[a.Name] = n
			}
		}
	}
	for i, group := range left {
		known, open := c.Pool.ConstDim(1), ""
		for _, a := range group {
			if n, ok := axisNumber(a); ok {
				sizes[a] = c.Pool.ConstDim(n)
			}
			if d, ok := sizes[a]; ok {
				known = c.Pool.DimMul(known, d)
			} else {
				open = a
			}
		}
		if open != "" {
			sizes[open] = c.Pool.DimFloorDiv(shape[i], known)
		}
	}
	return sizes
}

// axisNumber is the size of an axis that a pattern gives by a number.
func axisNumber(name string) (int64, bool) {
	if !strings.HasPrefix(name, "#") {
		return 0, false
	}
	n, err := strconv.ParseInt(name[1:strings.IndexByte(name, '@')], 10, 64)
	return n, err == nil
}

// rearrange lowers einops' rearrange, reduce and repeat: the axes are split as the left side of
// the pattern says, those that the right side lacks are reduced, the others put in its order, new
// ones repeated, and all merged to its groups. The length of a new axis must be known. It fails
// without an arrow in the pattern.
func rearrange(c *Call) {
	e := c.emit
	from, to, ok := strings.Cut(c.Str("pattern"), "->")
	if !ok {
		failf("the pattern has no arrow")
	}
	x, shape := c.einTensor()
	n := len(shape) - len(patternSide(strings.Replace(from, "...", "", 1), 0))
	left, right := patternSide(from, n), patternSide(to, n)
	sizes := c.einSizes(left, shape)
	names := slices.Concat(left...)
	out := slices.Concat(right...)
	atoms := make(symshape.Shape, len(names))
	for i, a := range names {
		atoms[i] = sizes[a]
	}
	x = c.Reshape(x, shape, atoms)
	var gone []int64
	var kept []string
	for i, a := range names {
		if slices.Contains(out, a) {
			kept = append(kept, a)
		} else {
			gone = append(gone, int64(i))
		}
	}
	if len(gone) > 0 {
		x = c.einReduce(x, gone)
	}
	// The order on the right side; axes that are new repeat.
	var perm, added []int64
	repeated := make([]graph.Operand, len(out))
	for i, a := range out {
		if j := slices.Index(kept, a); j >= 0 {
			perm = append(perm, int64(j))
			repeated[i] = graph.Int(1)
			continue
		}
		added = append(added, int64(i))
		if v, ok := axisNumber(a); ok {
			repeated[i] = graph.Int(v)
		} else if d, ok := sizes[a]; ok {
			repeated[i] = graph.Dim{Dim: d}
		} else {
			failf("the length of axis %s is not known", a)
		}
	}
	x = e.permute(x, perm)
	if len(added) > 0 {
		x = e.Op("Expand", In(e.Unsqueeze(x, added...), c.Sizes("lengths", repeated)))
	}
	var now symshape.Shape
	for _, a := range out {
		d, ok := sizes[a]
		if n, isNumber := axisNumber(a); !ok && isNumber {
			d = c.Pool.ConstDim(n)
		}
		now = append(now, d)
	}
	c.Return(e.Cast(c.Reshape(x, now, c.OutType(0).Shape), c.OutDType(0)))
}

// einTensor is the tensor of a pattern; a list of tensors is stacked.
func (c *Call) einTensor() (V, symshape.Shape) {
	switch c.Arg("tensor").(type) {
	case graph.List, graph.Tuple:
		items := c.Items("tensor")
		list := c.List("tensor")
		for i := range list {
			list[i] = c.emit.Unsqueeze(list[i], 0)
		}
		return c.emit.Concat(0, list...), append(symshape.Shape{c.Pool.ConstDim(int64(len(list)))}, items[0].(*graph.Value).Type.Shape...)
	}
	c.Rank("tensor")
	return c.Tensor("tensor"), c.Type("tensor").Shape
}

var einReductions = map[string]string{"sum": "ReduceSum", "mean": "ReduceMean", "prod": "ReduceProd", "max": "ReduceMax",
	"min": "ReduceMin", "any": "ReduceMax", "all": "ReduceMin"}

// einReduce reduces axes by the argument reduction. any and all are the largest and the least of
// 0 and 1. It fails if the reduction is a function of the caller.
func (c *Call) einReduce(x V, axes []int64) V {
	e := c.emit
	how := c.Str("reduction")
	op, ok := einReductions[how]
	if !ok {
		failf("the reduction is a function")
	}
	d := c.OutDType(0)
	w := workType(d)
	switch {
	case how == "any" || how == "all":
		x, w = e.Cast(x, onnx.Bool), onnx.Int32
	case w == onnx.Bool:
		w = onnx.Int32
	}
	return e.Cast(e.Reduce(op, e.Cast(x, w), false, axes...), d)
}

// unpack splits the packed axis and gives each part its shape. The packed dimensions of part i
// are merged to one of the product of their sizes, which are known from the shapes of the
// results.
func unpack(c *Call) {
	words := strings.Fields(c.Str("pattern"))
	axis := slices.Index(words, "*")
	if axis < 0 {
		failf("the pattern has no *")
	}
	x, shape := c.einTensor()
	after := len(words) - 1 - axis
	lengths := make([]graph.Operand, len(c.Node.Outputs))
	parts := make([]symshape.Shape, len(lengths))
	for i := range lengths {
		s := c.OutType(i).Shape
		n := c.Pool.ConstDim(1)
		for _, d := range s[axis : len(s)-after] {
			n = c.Pool.DimMul(n, d)
		}
		lengths[i] = graph.Dim{Dim: n}
		parts[i] = slices.Concat(shape[:axis], symshape.Shape{n}, shape[axis+1:])
	}
	pieces := []V{x}
	if len(lengths) > 1 {
		pieces = c.emit.Ops("Split", len(lengths), In(x, c.Sizes("split", lengths)), onnx.IntAttr("axis", int64(axis)))
	}
	for i := range pieces {
		pieces[i] = c.Reshape(pieces[i], parts[i], c.OutType(i).Shape)
	}
	c.Return(pieces...)
}
