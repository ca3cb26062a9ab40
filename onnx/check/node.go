package check

// This file checks nodes against the operators' schemas.

import (
	"math"
	"slices"
	"strings"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// removed are experimental operators that no version has any more and that ONNX's
// checker still takes.
var removed = []string{"ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler",
	"ParametricSoftplus", "Scale", "ScaledTanh"}

// closed are the domains all of whose operators are known.
var closed = []string{"", "ai.onnx", "ai.onnx.ml", "ai.onnx.training"}

// lenient are the operators whose definition lets attributes pass that it does not have.
var lenient = []string{"LayerNormalization"}

// checkNode checks one node by itself: its domain must be imported and, if it is a closed one,
// have the operator in that version; numbers of operands and results and the attributes must be
// those of the schema.
func (c *checker) checkNode(n *onnx.Node, scope *names, ops imports) {
	if n.Op == "" {
		c.errorf("", "a node has no operator")
		return
	}
	if len(n.Inputs) == 0 && len(n.Outputs) == 0 {
		c.errorf("", "the node has neither inputs nor outputs")
	}
	version, ok := ops.version(n.Domain)
	if !ok {
		c.errorf("", "no version of the domain %q is imported", n.Domain)
		return
	}
	for i, a := range n.Attrs {
		if slices.ContainsFunc(n.Attrs[:i], func(b *onnx.Attr) bool { return b.Name == a.Name }) {
			c.errorf("", "attribute %s is given twice", a.Name)
		}
		c.attribute(a, scope, ops)
	}
	if onnx.StandardDomain(n.Domain) == "" && slices.Contains(removed, n.Op) {
		return
	}
	var op *schema.Op
	if n.Domain != "ai.onnx" { // ONNX's checker has no operators under this name of the domain
		op = schema.Lookup(n.Domain, n.Op, version)
	}
	switch {
	case op == nil:
		if slices.Contains(closed, n.Domain) {
			c.errorf("", "version %d of the domain %q has no operator %s", version, n.Domain, n.Op)
		}
	case n.Domain == schema.Chainer: // unknown to ONNX; checked by the inference
	case op.Deprecated:
		c.errorf("", "the operator is deprecated since version %d", op.Since)
	default:
		c.counts(n, op)
		c.attributesOf(n, op)
	}
}

// counts checks the numbers of inputs and outputs.
func (c *checker) counts(n *onnx.Node, op *schema.Op) {
	check := func(what string, list []string, allowed []int, formal []schema.Param, at func(int) *schema.Param) {
		least, most := 0, 0
		for i, p := range formal {
			most++
			switch {
			case p.Variadic:
				least, most = i+p.Min, math.MaxInt
			case !p.Optional:
				least = most
			}
		}
		switch got := len(list); {
		case got < least:
			c.errorf("", "the operator has at least %d %s; the node has %d", least, what, got)
		case got > most:
			c.errorf("", "the operator has at most %d %s; the node has %d", most, what, got)
		case allowed != nil && !slices.Contains(allowed, got):
			c.errorf("", "the operator has %v %s; the node has %d", allowed, what, got)
		}
		for i, name := range list {
			if p := at(i); name == "" && i < len(formal) && !p.Optional && !p.Variadic {
				c.errorf("", "%s %d (%s) is missing", strings.TrimSuffix(what, "s"), i, p.Name)
			}
		}
	}
	check("inputs", n.Inputs, op.InCounts, op.Inputs, op.Input)
	check("outputs", n.Outputs, op.OutCounts, op.Outputs, op.Output)
}

// attributesOf checks a node's attributes beside those of its operator.
func (c *checker) attributesOf(n *onnx.Node, op *schema.Op) {
	for _, a := range n.Attrs {
		def := op.Attr(a.Name)
		switch {
		case def == nil && (strings.HasPrefix(a.Name, "__") || slices.Contains(lenient, op.Name)): // those with __ are for the use of tools
		case def == nil:
			c.errorf("", "the operator has no attribute %s", a.Name)
		case a.Type != def.Type:
			c.errorf("", "attribute %s is of type %s; expected %s", a.Name, a.Type, def.Type)
		case a.Ref != "":
		case def.Type == onnx.AttrTensor && a.Tensor == nil, def.Type == onnx.AttrGraph && a.Graph == nil,
			def.Type == onnx.AttrSparseTensor && a.SparseTensor == nil, def.Type == onnx.AttrTypeProto && a.TypeProto == nil:
			c.errorf("", "attribute %s has no value", a.Name)
		}
	}
	for i := range op.Attrs {
		if d := &op.Attrs[i]; d.Required && n.Attr(d.Name) == nil {
			c.errorf("", "the attribute %s is missing", d.Name)
		}
	}
}

// attribute checks an attribute by itself.
func (c *checker) attribute(a *onnx.Attr, scope *names, ops imports) {
	if a.Name == "" {
		c.errorf("", "an attribute has no name")
	}
	if c.ir >= 2 && a.Type == onnx.AttrUndefined {
		c.errorf("", "attribute %s has no type", a.Name)
	}
	used := 0
	for _, v := range [...]struct {
		has bool
		t   onnx.AttrType
	}{
		{a.Float != 0, onnx.AttrFloat}, {a.Int != 0, onnx.AttrInt}, {len(a.String) > 0, onnx.AttrString}, {a.Tensor != nil, onnx.AttrTensor},
		{a.Graph != nil, onnx.AttrGraph}, {a.TypeProto != nil, onnx.AttrTypeProto}, {a.SparseTensor != nil, onnx.AttrSparseTensor},
		{len(a.Floats) > 0, onnx.AttrFloats}, {len(a.Ints) > 0, onnx.AttrInts}, {len(a.Strings) > 0, onnx.AttrStrings},
		{len(a.Tensors) > 0, onnx.AttrTensors}, {len(a.Graphs) > 0, onnx.AttrGraphs}, {len(a.SparseTensors) > 0, onnx.AttrSparseTensors},
		{len(a.TypeProtos) > 0, onnx.AttrTypeProtos},
	} {
		if !v.has {
			continue
		}
		used++
		if a.Type != onnx.AttrUndefined && a.Type != v.t {
			c.errorf("", "attribute %s is of type %s and has a value of type %s", a.Name, a.Type, v.t)
		}
	}
	if used > 1 {
		c.errorf("", "attribute %s has several values", a.Name)
	}
	if c.inner && a.Ref != "" && used > 0 {
		c.errorf("", "attribute %s refers to one of the function and has a value", a.Name)
	}
	if a.Tensor != nil {
		c.tensor(a.Tensor)
	}
	if a.SparseTensor != nil {
		c.sparse(a.SparseTensor)
	}
	for _, t := range a.Tensors {
		c.tensor(t)
	}
	for _, s := range a.SparseTensors {
		c.sparse(s)
	}
	inner := c.inner
	c.inner = true
	if a.Graph != nil {
		c.graph(a.Graph, scope, ops)
	}
	for _, g := range a.Graphs {
		c.graph(g, scope, ops)
	}
	c.inner = inner
}

// compatible checks that a node of a function means the same under the versions that
// the model imports, for functions are replaced by their nodes.
func (c *checker) compatible(n *onnx.Node, own, model imports) {
	f, ok := own[n.Domain]
	if !ok {
		c.errorf("", "the function imports no version of the domain %q", n.Domain)
		return
	}
	m, ok := model[n.Domain]
	if !ok || f == m {
		return
	}
	x, y := schema.Lookup(n.Domain, n.Op, f), schema.Lookup(n.Domain, n.Op, m)
	if x != y {
		c.errorf("", "the function imports version %d of the domain %q, and the model %d, where the operator is another", f, n.Domain, m)
	}
}
