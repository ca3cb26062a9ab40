package pass

// This file computes nodes of constants.

import (
	"context"
	"errors"
	"slices"

	"shapecheck/codegen/interp"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/eval"
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

// fold replaces the results of a node of constants. A node that fails, or takes too long,
// stays: the run will say why.
func (c *Context) fold(g *ir.Graph, n *ir.Node) error {
	if n.Op.Traits&ir.Pure == 0 || len(n.Graphs) > 0 || n.Op.Opcode == isa.Sizes || n.Op.Via == "Loop" || n.Dead() || c.binds(n) {
		return nil
	}
	if c.run.foldFails >= maxFoldFails {
		return nil
	}
	taken := int64(0)
	for _, v := range n.Ins {
		if v == nil {
			continue
		}
		if v.Const == nil {
			return nil
		}
		taken += v.Const.Bytes
	}
	for _, v := range n.Outs {
		if v == nil {
			continue
		}
		size, ok := bytesOf(v)
		if !ok || size > maxFolded && size > taken || v.Type.Elem == onnx.String || v.Type.Elem == onnx.Complex64 || v.Type.Elem == onnx.Complex128 ||
			v.Type.Elem.IsMini() {
			return nil
		}
	}
	if n.Op.Opcode == isa.Fill || len(n.Ins) == 0 { // large tensors of one number are cheaper to make than to read
		if size, _ := bytesOf(n.Outs[0]); size > 1<<10 {
			return nil
		}
	}
	work := taken + c.work(n)
	if work > maxFoldWork-c.run.foldWork || !c.Allow("constant", Exact) {
		return nil
	}
	c.run.foldWork += work
	ins := make([]eval.Value, len(n.Ins))
	for i, v := range n.Ins {
		if v == nil {
			continue
		}
		x, err := eval.FromONNX(v.Const.Tensor)
		if err != nil {
			return nil // what cannot be read is not folded; emit says so if it is needed
		}
		ins[i] = x
	}
	outs, err := interp.Node(n, ins, eval.Config{Context: c.ctx, Limits: eval.Limits{Steps: maxFoldSteps}})
	if err != nil {
		if cause := c.ctx.Err(); cause != nil || errors.Is(err, context.Canceled) {
			return errors.Join(cause, err)
		}
		c.run.foldFails++
		return nil
	}
	for i, v := range n.Outs {
		if v == nil || len(v.Uses) == 0 {
			continue
		}
		w, err := c.constant(v.Name, outs[i].(*eval.Tensor))
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

// work is the number of operations of a node of numbers, as its record counts them, and the
// bytes of its results; what is too large to count is more than is done.
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

// constant makes a value of what the evaluator has computed.
func (c *Context) constant(name string, t *eval.Tensor) (*ir.Value, error) {
	raw, err := t.AppendRaw(nil, 0, t.Len())
	if err != nil {
		return nil, err
	}
	return c.Module.AddConst(name, &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true})
}

// bytesOf is the size of a tensor whose dimensions are numbers.
func bytesOf(v *ir.Value) (int64, bool) {
	if v.Type.Kind != onnx.TensorType || !v.Type.Ranked {
		return 0, false
	}
	dims := make([]int64, len(v.Type.Dims))
	for i, d := range v.Type.Dims {
		var ok bool
		if dims[i], ok = d.Const(); !ok {
			return 0, false
		}
	}
	n, err := onnx.Count(dims)
	if err != nil {
		return 0, false
	}
	size, err := onnx.ByteSize(v.Type.Elem, n)
	return size, err == nil
}
