// Package aten says how library functions become ONNX: one Record for each
// operation of the typed graph, in one file per family as in infer/ops/torch.
//
// A rule writes the body of a model-local function: it reads the bound arguments
// of the node from its Call (call.go), emits ONNX nodes by the Emitter of the call
// (build.go) and sets the results.
// Arguments that are tensors become inputs of the function; numbers that a rule
// passes on unchanged become attributes, which the body refers to; sizes that
// depend on symbols become inputs too, which the caller computes. What else a
// rule reads is baked into the body.
//
// A helper that needs the node is a method of Call, one that needs values alone is a
// method of Emitter: it serves the bodies of loops too (scan.go), which have Emitters
// of their own and no node. What needs neither is a function.
//
// The rules are apart from the records in infer/ops, because a type checker needs no ONNX and several records share one
// lowering. A test checks that every operation has a rule or a reason why not.
//
//	aten.go   Record, Lookup, Run     call.go     Call: arguments
//	build.go  Emitter: nodes          dtype.go    element types
//	sizes.go  shapes as tensors       promote.go  their promotion, as PyTorch does it
//	table.go  the list of families    support.go  what ONNX's operators do not take
//	short.go  short ways to write arithmetic
//
// The families:
//
//	layers         linear.go conv.go pool.go norm.go dropout.go embedding.go attention.go rnn.go packed.go
//	               activation.go interpolate.go pad.go fold.go vision.go quant.go
//	losses         loss.go lossclass.go
//	element-wise   unary.go gamma.go pointwise.go arithmetic.go select.go
//	reductions     reduce.go scan.go sort.go nonzero.go masked.go
//	products       matmul.go einsum.go linalg.go fft.go complex.go
//	shapes         view.go join.go einops.go diag.go
//	indices        index.go setitem.go gather.go
//	new tensors    create.go fill.go literal.go random.go
//	Chainer        chainer.go chainermath.go chainershape.go chainerlayers.go chainernorm.go
//	               chainerloss.go chainerrnn.go chainerrois.go chainerplaces.go chainerctc.go
//	NumPy          numpymath.go numpyarray.go numpyshape.go numpyorder.go numpywrite.go numpyscalar.go numpyrandom.go numpyfft.go
package aten

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A Record is the lowering of one operation.
type Record struct {
	// Op is the canonical name of the operation in its record; several, separated
	// by spaces, share the rule.
	Op string
	// Lower writes the body. Nil: None says why there is no lowering.
	Lower func(c *Call)
	None  string
	// As, instead of Lower, names a function whose record lowers this one. Args are the pairs
	// "theirs=ours" of the arguments' names; an argument that is not among them is None there.
	As, Args string
}

// A Formal is an input of a function's body and what the caller passes for it.
type Formal struct {
	Name string
	// Value is the tensor, or Sizes the numbers: an i64 tensor of one dimension, or
	// without, when Scalar is set.
	Value  *graph.Value
	Sizes  []graph.Operand
	Scalar bool
}

// A Body is what a rule made of a node.
type Body struct {
	Name    string // of the function, without domain: "conv2d"
	Formals []Formal
	Attrs   []*onnx.Attr // values of the attributes that the body refers to
	Nodes   []*onnx.Node
	Outputs []string // one for each output of the node
	// Opset is the least version of the standard operators that the nodes need.
	Opset int64
}

// An Error says why a node has no lowering.
type Error struct {
	Op     string
	Reason string
}

func (e *Error) Error() string {
	if e.Op == standIn {
		return e.Reason
	}
	return e.Op + " cannot be written as ONNX: " + e.Reason
}

// standIn is the prelude's operation for results that are known by their shapes
// alone. No user wrote its name.
const standIn = "torch._stand_in"

// Lookup finds the record of an operation. The copying form of a view, such as
// torch.permute_copy, is the view: there is no memory to share.
func Lookup(op string) (*Record, bool) {
	r := index()[op]
	if view, ok := strings.CutSuffix(op, "_copy"); ok && r == nil {
		if r = index()[view]; r == nil {
			r = index()["torch.Tensor."+strings.TrimPrefix(view, "torch.")]
		}
	}
	return r, r != nil
}

// Run lowers a node for a version of the standard operators. It returns an *Error if the operation has no rule or its
// rule refuses the node, and another error if the rule made a wrong number of outputs.
func Run(n *graph.Node, pool *symshape.Pool, opset int64) (b *Body, err error) {
	rec, ok := Lookup(n.Op)
	if !ok {
		return nil, &Error{n.Op, "there is no rule for it"}
	}
	paired := complexNode(n)
	as, args := rec.As, rec.Args
	if as != "" {
		rec = index()[as]
	}
	if rec.Lower == nil && (!paired || rec.None != byPairs) {
		return nil, &Error{n.Op, rec.None}
	}
	c := &Call{Node: n, Pool: pool, emit: newEmitter(opset), python: strings.HasPrefix(n.Op, "numpy.")}
	for _, a := range n.Args {
		c.emit.reserve(a.Name) // temporaries do not look like arguments
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			b, err = nil, &Error{n.Op, string(r)}
		default:
			panic(r)
		}
	}()
	if as != "" {
		c.rename(as, args)
	}
	switch {
	case paired:
		c.lowerComplex(rec)
	case !c.nothing():
		rec.Lower(c)
	}
	if len(c.outs) != len(n.Outputs) {
		return nil, fmt.Errorf("lowering of %s made %d outputs instead of %d", n.Op, len(c.outs), len(n.Outputs))
	}
	return c.body(), nil
}

// Return sets the results of the node.
func (c *Call) Return(outs ...V) { c.outs = outs }

// body collects what was emitted: nodes whose results nobody uses are dropped.
func (c *Call) body() *Body {
	e := c.emit
	b := &Body{Name: FunctionName(c.Node.Op), Attrs: c.attrs}
	used := map[string]bool{}
	for i, v := range c.outs {
		if _, ok := c.converted(i); ok {
			v = e.Cast(v, c.dtype(c.OutType(i).DType))
			c.outs[i] = v
		}
		name := v.Name
		for _, o := range b.Outputs { // an output stands once
			if o == name {
				name = ""
			}
		}
		for _, f := range c.formals { // an output is no input
			if f.Name == name {
				name = ""
			}
		}
		if name == "" {
			name = e.Op("Identity", In(c.outs[i])).Name
		}
		used[name] = true
		b.Outputs = append(b.Outputs, name)
	}
	b.Nodes = c.emit.live(used)
	for _, f := range c.formals {
		if used[f.Name] {
			b.Formals = append(b.Formals, f)
		}
	}
	refs := map[string]bool{}
	for _, n := range b.Nodes {
		for _, a := range n.Attrs {
			refs[a.Ref] = true
		}
	}
	b.Attrs = nil
	for _, a := range c.attrs {
		if refs[a.Name] {
			b.Attrs = append(b.Attrs, a)
		}
	}
	return b
}

// failure is the panic of failf, which Run catches.
type failure string

// failf ends the lowering: this form of the operation has none.
func failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// FunctionName is the name of the function for an operation: that of ATen where
// there is one.
func FunctionName(op string) string {
	name := strings.TrimPrefix(op, "torch.")
	for _, prefix := range [...]string{"nn.functional.", "Tensor."} {
		name = strings.TrimPrefix(name, prefix)
	}
	name = strings.TrimSuffix(name, ".get")
	if strings.HasPrefix(name, "__") {
		name = strings.Trim(name, "_")
	}
	return strings.ReplaceAll(name, ".", "_")
}
