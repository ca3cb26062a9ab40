package pass

// This file computes nodes of constants.
//
// The reference evaluator computes them (codegen/interp over onnx/eval), the same that checks the
// results of kernels in tests; folding thus cannot change a result, whatever kernels the machine
// has. What it costs is bounded in four ways, as a model from outside may ask for anything: a
// chain of Expand and Concat would otherwise make gigabytes of constants out of a few bytes.

import (
	"context"
	"errors"
	"slices"

	"shapecheck/codegen/interp"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/memory"
)

// Limits of folding: the bytes of a result that its operands do not have already, the
// steps of the evaluator for one node, the work of all nodes together, in bytes and
// operations, and the nodes that fail or take too long.
const (
	maxFolded    = 4 << 20
	maxFoldSteps = 1 << 26
	maxFoldWork  = 1 << 33
	maxFoldFails = 16
)

var fold = Pass{
	Name: "fold", Doc: "computes pure nodes of constants by the reference evaluator, where the result is small or no larger than the operands", Class: Exact,
	After: []string{"loops"},
	Run: func(c *Context) error {
		var err error
		c.Module.Walk(func(g *ir.Graph) {
			for _, n := range slices.Clone(g.Nodes) {
				if err == nil && n.Graph == g {
					err = c.fold(g, n)
				}
			}
		})
		return err
	},
}

// fold replaces the results of a node of constants. A node that fails, or takes too long, stays:
// the run will say why. A node is left alone if it is not pure, has a body, writes sizes, will
// become a loop, binds symbols, is an absorbed transpose, or has results of strings, complex
// numbers or floats of eight bits or fewer. It returns an error if the context has ended or a
// constant cannot be added.
//
// The order of the conditions is by their cost. Work is added to the account before the
// computation, so that nodes that fail count as well.
func (c *Context) fold(g *ir.Graph, n *ir.Node) error {
	if n.Op.Traits&ir.Pure == 0 || len(n.Graphs) > 0 || n.Op.Opcode == isa.Sizes || n.Op.Via == "Loop" || n.Dead() || c.binds(n) {
		return nil
	}
	if c.run.foldFails >= maxFoldFails || absorbed(n) {
		return nil
	}
	taken := int64(0)
	for i, v := range n.Ins {
		if v == nil {
			continue
		}
		if v.Const == nil {
			return nil
		}
		if !slices.Contains(n.Ins[:i], v) { // else values would double as often as they are joined with themselves
			taken += v.Const.Bytes
		}
	}
	made := int64(0)
	for _, v := range n.Outs {
		if v == nil {
			continue
		}
		size, ok := bytesOf(v)
		if !ok || size > maxFolded && size > taken || v.Type.Elem == onnx.String || v.Type.Elem == onnx.Complex64 ||
			v.Type.Elem == onnx.Complex128 ||
			v.Type.Elem.IsMini() {
			return nil
		}
		made += size
	}
	if n.Op.Opcode == isa.Fill || len(n.Ins) == 0 { // large tensors of one number are cheaper to make than to read
		if size, _ := bytesOf(n.Outs[0]); size > 1<<10 {
			return nil
		}
	}
	work := taken + c.work(n)
	if memory.Ask(made) != nil { // the run may have no use for it
		return nil
	}
	if work > maxFoldWork-c.run.foldWork || !c.Allow("constant", Exact) {
		return nil
	}
	c.run.foldWork += work
	list := piecesOf(n)
	if list == nil {
		list = movedOf(n)
	}
	if list == nil {
		var err error
		if list, err = c.compute(n); list == nil || err != nil {
			return err
		}
	}
	for i, v := range n.Outs {
		if v == nil || len(v.Uses) == 0 {
			continue
		}
		w, err := c.Module.AddConst(v.Name, list[i])
		if err != nil {
			return err
		}
		if covers(w, v) {
			v.ReplaceUses(w)
		}
	}
	if n.Dead() {
		c.Module.RemoveNode(n)
	}
	return nil
}

// compute evaluates a node of constants; nil: it stays, or the run says why it fails. A failure,
// such as an index out of range, counts against maxFoldFails; the end of the context is returned
// as an error, as it is no property of the node. Results are stored as raw little-endian data of
// exactly the size that the types say.
func (c *Context) compute(n *ir.Node) ([]*onnx.Tensor, error) {
	ins := make([]eval.Value, len(n.Ins))
	for i, v := range n.Ins {
		if v == nil {
			continue
		}
		x, err := eval.FromONNX(v.Const.Tensor)
		if err != nil {
			return nil, nil // what cannot be read is not folded; emit says so if it is needed
		}
		ins[i] = x
	}
	outs, err := interp.Node(n, ins, eval.Config{Context: c.ctx, Limits: eval.Limits{Steps: maxFoldSteps}})
	if err != nil {
		if cause := c.ctx.Err(); cause != nil || errors.Is(err, context.Canceled) {
			return nil, errors.Join(cause, err)
		}
		c.run.foldFails++
		return nil, nil
	}
	list := make([]*onnx.Tensor, len(outs))
	for i, v := range n.Outs {
		if v == nil {
			continue
		}
		t := outs[i].(*eval.Tensor)
		size, _ := bytesOf(v)
		raw, err := t.AppendRaw(make([]byte, 0, size), 0, t.Len())
		if err != nil {
			return nil, err
		}
		list[i] = &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true}
	}
	return list, nil
}

// piecesOf gives the results of a node that are pieces of a constant as they lie in its memory, so that nothing
// need be computed; nil for other nodes. Views (Reshape, Squeeze, Flatten and so on) share the
// whole memory and a Split along the first axis longer than 1 shares parts; large weights of a
// checkpoint thus do not stand twice in memory. The pieces have no capacity beyond their end, so
// that nobody can append into a neighbour.
func piecesOf(n *ir.Node) []*onnx.Tensor {
	if slices.Contains(n.Outs, nil) || len(n.Ins) == 0 || n.Ins[0] == nil {
		return nil
	}
	x := n.Ins[0].Const.Tensor
	if x.DType == onnx.Bool || x.DType.Bits()%8 != 0 { // what is true has more than one form in raw data
		return nil
	}
	switch {
	case n.Op.Traits&ir.View != 0 && len(n.Outs) == 1:
	case n.Op.Name == "Split" && n.Op.Domain == "":
		if slices.ContainsFunc(x.Dims[:axisOf(n)], func(d int64) bool { return d != 1 }) {
			return nil
		}
	default:
		return nil
	}
	raw := x.Raw
	var out []*onnx.Tensor
	for _, v := range n.Outs {
		size, _ := bytesOf(v)
		if size > int64(len(raw)) || v.Type.Elem != x.DType {
			return nil
		}
		out = append(out, &onnx.Tensor{DType: x.DType, Dims: dimsOf(v), Raw: raw[:size:size], HasRaw: true})
		raw = raw[size:]
	}
	if len(raw) > 0 {
		return nil
	}
	return out
}

// minAbsorbed is the size from which a copy of weights costs more than the flag of a product.
const minAbsorbed = 64 << 10

// absorbed reports a transpose of large weights that only products read, whose kernel takes them
// as they are. The condition is that every use is the right operand of a MatMul of two matrices;
// if a single one is not, the transposed copy is needed anyway.
func absorbed(n *ir.Node) bool {
	if n.Op.Name != "Transpose" || n.Op.Domain != "" || n.Ins[0].Const == nil || n.Ins[0].Const.Bytes < minAbsorbed {
		return false
	}
	y := n.Outs[0]
	if y.Type.Elem != onnx.Float || len(n.Ins[0].Const.Tensor.Dims) != 2 || !swapsLast(permOf(n)) {
		return false
	}
	return !slices.ContainsFunc(y.Uses, func(u ir.Use) bool {
		return u.Node == nil || u.Index != 1 || u.Node.Op.Name != "MatMul" || u.Node.Op.Domain != "" || productOf(u.Node) == nil
	})
}

// work is the number of operations of a node of numbers, as its record counts them, and the
// bytes of its results; what is too large to count is more than is done. Flops gives an
// expression over the symbols of the module; with constant operands it nearly always is a number.
func (c *Context) work(n *ir.Node) int64 {
	total := int64(0)
	for _, v := range n.Outs {
		if v != nil {
			size, _ := bytesOf(v)
			total += size
		}
	}
	if n.Op.Flops == nil {
		return total
	}
	e := n.Op.Flops(c.Module.Pool, n)
	if e == nil {
		return maxFoldWork
	}
	f, ok := e.Const()
	if !ok || f < 0 || f > maxFoldWork {
		return maxFoldWork
	}
	return total + f
}

// bytesOf is the size of a tensor whose dimensions are numbers. ok is false where the type is no
// tensor, has a dimension that is no number, or is too large for 64 bits.
func bytesOf(v *ir.Value) (int64, bool) {
	if v.Type.Kind != onnx.TensorType || !v.Type.Ranked {
		return 0, false
	}
	dims := dimsOf(v)
	if dims == nil {
		return 0, false
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return 0, false
	}
	size, err := onnx.ByteSize(v.Type.Elem, n)
	return size, err == nil
}

// dimsOf are the dimensions of a tensor whose rank is known, when they are numbers; else nil.
func dimsOf(v *ir.Value) []int64 {
	dims := make([]int64, len(v.Type.Dims))
	for i, d := range v.Type.Dims {
		var ok bool
		if dims[i], ok = d.Const(); !ok {
			return nil
		}
	}
	return dims
}
