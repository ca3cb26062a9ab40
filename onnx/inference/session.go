package inference

// This file holds the inference of one node at a time, for those who make nodes.

import (
	"slices"
	"strconv"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// A Session infers nodes one by one, by the rules that Run walks a model with. All
// dimensions are expressions of its Pool; sizes that nobody knows are fresh symbols of
// it. A Session keeps nothing of the nodes but that equal computations on floats give
// equal sizes. It is not safe for concurrent use.
type Session struct {
	// Facts is what holds of the symbols beside their bounds. It may be changed between
	// calls; the types of inputs are simplified by it.
	Facts symshape.Facts
	e     *engine
}

// NewSession makes a session over a pool.
func NewSession(pool *symshape.Pool) *Session {
	// Dimensions of types in attributes are read as in shapecheck's own models.
	return &Session{e: newEngine(&onnx.Model{IRVersion: 10, ProducerName: producer}, pool, Config{})}
}

// A Node is a node to infer, with decoded attributes.
type Node struct {
	Op    *schema.Op
	Attrs schema.Attrs
	// Name and Inputs are the names in messages; Inputs may be shorter than Ins.
	Name   string
	Inputs []string
	Ins    []*Value // nil: absent
	Outs   int      // the number of results, wanted or not
	// Bodies are the subgraphs by the names of the attributes; they count before graphs
	// in the attributes.
	Bodies map[string]Body
}

// Apply infers a node of a version of its domain from what is known of its inputs, nil
// for absent ones. It gives as many values as the node has outputs, and why the node
// cannot run, when it cannot: nothing is then known of the values. References to
// attributes of functions must be resolved; subgraphs see nothing of the outside but
// what is among their inputs.
func (s *Session) Apply(n *onnx.Node, version int64, ins []*Value) ([]*Value, []*Error) {
	return s.do(n, ins, func(c *call) {
		c.s.opsets = []onnx.Opset{{Domain: n.Domain, Version: version}}
		c.run()
	})
}

// Infer is Apply for a node whose attributes are decoded. Its version is the one in
// which the operator got its form; that is what the rules go by. Element types that an older version took are taken.
func (s *Session) Infer(n *Node) ([]*Value, []*Error) {
	m := &onnx.Node{Op: n.Op.Name, Domain: n.Op.Domain, Name: n.Name, Inputs: make([]string, len(n.Ins)), Outputs: make([]string, n.Outs)}
	for i, v := range n.Ins {
		switch {
		case v == nil:
		case i < len(n.Inputs) && n.Inputs[i] != "":
			m.Inputs[i] = n.Inputs[i]
		default:
			m.Inputs[i] = "#" + strconv.Itoa(i)
		}
	}
	return s.do(m, n.Ins, func(c *call) {
		c.op, c.a, c.bodies, c.version, c.upgraded = n.Op, n.Attrs, n.Bodies, n.Op.Since, true
		c.s.opsets = []onnx.Opset{{Domain: n.Op.Domain, Version: n.Op.Since}}
		if err := n.Op.CheckCounts(m); err != nil {
			c.errorf("%v", err)
		} else if o := rules()[opKey{n.Op.Domain, n.Op.Name}]; o != nil {
			c.byRule(o)
		}
	})
}

// do runs one node and collects what is wrong with it.
func (s *Session) do(n *onnx.Node, ins []*Value, run func(*call)) ([]*Value, []*Error) {
	e := s.e
	e.facts = s.Facts
	before, seen := e.res.Errors, e.seen
	e.res.Errors, e.seen, e.visited = nil, map[string]bool{}, 0
	c := &call{e: e, s: &scope{e: e, vals: map[string]*Value{}}, n: n, ins: make([]*Value, len(n.Inputs)),
		outs: make([]*Value, len(n.Outputs))}
	for i := range c.ins {
		if i < len(ins) && ins[i] != nil {
			c.ins[i] = s.simplified(ins[i])
		}
	}
	run(c)
	c.settle()
	errs := e.res.Errors
	e.res.Errors, e.seen = before, seen
	return c.outs, errs
}

// simplified writes the sizes and elements of a value as the facts have them.
func (s *Session) simplified(v *Value) *Value {
	if len(s.Facts.Conds()) == 0 {
		return v
	}
	out, t := *v, *v.Type
	out.Type = &t
	t.Dims, out.ints = s.simplifiedAll(t.Dims), s.simplifiedAll(v.ints)
	return &out
}

func (s *Session) simplifiedAll(list []*symshape.Expr) []*symshape.Expr {
	list = slices.Clone(list)
	for i, x := range list {
		list[i] = s.Facts.Simplify(x)
	}
	return list
}

// Constant gives what is known of a tensor: its type and, of a small one, its
// elements. It returns an error if a dimension is negative, or if there are not as many elements as the dimensions say.
func (s *Session) Constant(t *onnx.Tensor) (*Value, error) {
	before := s.e.res.Errors
	s.e.res.Errors, s.e.seen = nil, map[string]bool{}
	v := s.e.constant(t)
	errs := s.e.res.Errors
	s.e.res.Errors = before
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return v, nil
}

// ValueOf makes a value of a type; dimensions that are nil become unknowns. elems are
// the known elements of a small integer or bool tensor whose dimensions are constants,
// in row-major order, nil where one is not known; nil when none is.
func (s *Session) ValueOf(t *Type, elems []*symshape.Expr) *Value {
	u := *t
	u.Dims = slices.Clone(t.Dims)
	s.e.normalize(&u)
	v := &Value{Type: &u}
	if elems != nil && isInt(u.Elem) && v.count() == len(elems) {
		v.ints = slices.Clone(elems)
	}
	return v
}

// Elements gives the elements of a small integer or bool tensor as far as they are
// known, as ValueOf takes them.
func (v *Value) Elements() []*symshape.Expr { return v.ints }

// Floats gives the elements of a small float tensor when all are known; else nil.
func (v *Value) Floats() []float64 { return v.floats }
