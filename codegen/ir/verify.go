package ir

// This file checks a module: what each pass may rely on and must keep.
//
// It is run after each pass when the options of the passes ask for it. A pass that breaks a rule
// is thus named by the first check that fails behind it. It is linear in the nodes and uses, and
// reports up to maxFaults faults and not only the first, since one mistake in a pass breaks
// several rules.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// Limits of a module; beyond them it is refused.
const (
	MaxNodes      = 1 << 18
	MaxNesting    = 60
	MaxConstBytes = 1 << 40
)

// A Stage says what has been done to a module, which decides what must hold.
type Stage uint8

// The stages.
const (
	Building  Stage = iota
	Scheduled       // orders are total
)

// Rules whose names errors begin with, in the order of the design's list.
const (
	ruleUses    = "uses"    // one definition, uses agree both ways, order topological
	ruleClosed  = "closed"  // graphs use only their own values and constants
	ruleTypes   = "types"   // every value has kind and element type, every tensor a rank
	ruleDims    = "dims"    // dims are the pool's, their symbols bound by what dominates
	ruleInfer   = "infer"   // each result's type is what its record infers, or narrower
	ruleAttrs   = "attrs"   // attributes and counts pass the record's checks
	ruleEffects = "effects" // effects are ordered
	rulePorts   = "ports"   // names unique, none lost; every node has an origin
	ruleConsts  = "consts"  // constants' sizes match their types
	ruleOrder   = "order"   // after scheduling, orders are total
	ruleLimits  = "limits"
)

// maxFaults bounds the list of faults.
const maxFaults = 20

// Verify checks the module. The error joins the faults, of which each begins with the
// name of the rule. Rule 12, that no memory is read after it is overwritten, belongs to
// the plan and is checked there; rule 5 is checked by Retype, which needs inference.
func (m *Module) Verify(stage Stage) error {
	v := &verifier{m: m, stage: stage, seen: map[*Value]bool{}, bound: map[*symshape.Expr]bool{}, ids: map[int32]bool{},
		nodeIDs: map[int32]bool{}, claims: map[Use]*Value{}}
	v.ports()
	v.consts()
	v.symbols()
	v.graph(m.Main, 0)
	for _, c := range v.constants {
		v.uses(c)
	}
	for _, u := range v.order {
		if x := v.claims[u]; x != nil {
			v.fault(ruleUses, "%s is used, and does not know it", ref(x))
		}
	}
	return errors.Join(v.faults...)
}

// seen, bound and ids belong to the whole module: values are numbered across graphs.
type verifier struct {
	m       *Module
	stage   Stage
	faults  []error
	seen    map[*Value]bool         // defined so far, in all graphs
	bound   map[*symshape.Expr]bool // symbols bound so far
	ids     map[int32]bool
	nodeIDs map[int32]bool
	binds   map[*Node][]*symshape.Expr
	params  map[*Value][]*symshape.Expr
	nodes   int
	// claims are the uses that were met and that no value has confirmed yet, order is theirs.
	claims    map[Use]*Value
	order     []Use
	constants []*Value // that were met
}

func (v *verifier) fault(rule, format string, args ...any) {
	if len(v.faults) < maxFaults {
		v.faults = append(v.faults, fmt.Errorf("%s: %s", rule, fmt.Sprintf(format, args...)))
	}
}

// Ports have types and names, values are the parameters and results of the main graph, and the
// two lists go together by position. A state is an input whose next value is the output State-1.
func (v *verifier) ports() {
	check := func(what string, ports []Port, values []*Value) {
		if len(ports) != len(values) {
			v.fault(rulePorts, "there are %d %s and %d values for them", len(ports), what, len(values))
			return
		}
		names := map[string]bool{}
		for _, p := range ports {
			if names[p.Name] {
				v.fault(rulePorts, "two %s are called %q", what, p.Name)
			}
			names[p.Name] = true
		}
	}
	check("inputs", v.m.Ins, v.m.Main.Params)
	check("outputs", v.m.Outs, v.m.Main.Results)
	for _, p := range v.m.Ins {
		if p.State < 0 || p.State > len(v.m.Outs) {
			v.fault(rulePorts, "input %q gets its next value from output %d, which does not exist", p.Name, p.State-1)
		}
	}
	if v.m.Main.Owner != nil {
		v.fault(ruleUses, "the main graph belongs to a node")
	}
}

// Sizes are compared with the types three times over (bytes, raw elements, the total), because
// constants are written to files by these numbers.
func (v *verifier) consts() {
	total := int64(0)
	for i, c := range v.m.Consts.List {
		if int(c.ID) != i {
			v.fault(ruleConsts, "constant @%d is number %d", c.ID, i)
		}
		n, err := c.Tensor.Count()
		size := int64(0)
		if err == nil {
			size, err = onnx.ByteSize(c.Tensor.DType, n)
		}
		if err != nil || size != c.Bytes || int64(len(c.Tensor.Raw)) != c.Bytes && c.Tensor.Source == nil {
			v.fault(ruleConsts, "constant @%d has %d bytes, and its type says %d", c.ID, c.Bytes, size)
		}
		total += c.Bytes
	}
	if total != v.m.Consts.Bytes {
		v.fault(ruleConsts, "the constants have %d bytes together, and the store says %d", total, v.m.Consts.Bytes)
	}
	if total > MaxConstBytes {
		v.fault(ruleLimits, "the constants have %d bytes", total)
	}
}

// symbols checks the table, and takes those that ports bind as bound. A symbol is bound once: by
// an axis of an input port, by an axis or an element of a parameter, or by a node. What nodes and
// parameters bind counts as bound from there on (see node and graph).
func (v *verifier) symbols() {
	v.binds, v.params = map[*Node][]*symshape.Expr{}, map[*Value][]*symshape.Expr{}
	listed := map[*symshape.Expr]bool{}
	for _, s := range v.m.Syms {
		if _, ok := s.Expr.IsSymbol(); !ok || s.Expr.Pool() != v.m.Pool {
			v.fault(ruleDims, "%s is no symbol of the module", s.Expr)
			continue
		}
		if listed[s.Expr] {
			v.fault(ruleDims, "the symbol %s is bound twice", s.Expr)
		}
		listed[s.Expr] = true
		if s.Node != nil {
			v.binds[s.Node] = append(v.binds[s.Node], s.Expr)
			continue
		}
		if s.Param != nil {
			list := s.Param.Type.Dims
			if s.Element {
				list = s.Param.Elems
			}
			if s.Axis < 0 || s.Axis >= len(list) || list[s.Axis] != s.Expr {
				v.fault(ruleDims, "parameter %%%d does not bind the symbol %s", s.Param.ID, s.Expr)
			}
			v.params[s.Param] = append(v.params[s.Param], s.Expr)
			continue
		}
		if s.Port < 0 || s.Port >= len(v.m.Ins) {
			v.fault(ruleDims, "the symbol %s is bound by port %d, which does not exist", s.Expr, s.Port)
			continue
		}
		t := &v.m.Ins[s.Port].Type
		if !t.Ranked || s.Axis < 0 || s.Axis >= len(t.Dims) || t.Dims[s.Axis] != s.Expr {
			v.fault(ruleDims, "dimension %d of input %q does not bind the symbol %s", s.Axis, v.m.Ins[s.Port].Name, s.Expr)
		}
		v.bound[s.Expr] = true
	}
}

// graph verifies a graph and those in it: parameters and nodes name it as their graph, nodes of a
// scheduled module come in increasing order, values are defined before they are used, and the lists of
// uses are complete.
func (v *verifier) graph(g *Graph, depth int) {
	if depth > MaxNesting {
		v.fault(ruleLimits, "graphs nest deeper than %d", MaxNesting)
		return
	}
	for i, p := range g.Params {
		if p.Param != g || p.Index != i || p.Def != nil || p.Const != nil {
			v.fault(ruleUses, "parameter %d of a graph, %%%d, says that it is something else", i, p.ID)
		}
		for _, s := range v.params[p] {
			v.bound[s] = true
		}
		v.define(p)
	}
	last := int32(0)
	for _, n := range g.Nodes {
		if n.Graph != g {
			v.fault(ruleUses, "%s is in a graph and says that it is in another", v.name(n))
		}
		v.node(n, g, depth)
		if v.stage >= Scheduled {
			if n.Order <= last {
				v.fault(ruleOrder, "%s has place %d in the schedule, after %d", v.name(n), n.Order, last)
			}
			last = n.Order
		}
	}
	for i, r := range g.Results {
		v.use(r, g, Use{Graph: g, Index: i}, fmt.Sprintf("result %d", i))
	}
	for _, p := range g.Params {
		v.uses(p)
	}
	for _, n := range g.Nodes {
		for _, o := range n.Outs {
			if o != nil {
				v.uses(o)
			}
		}
	}
}

func (v *verifier) name(n *Node) string { return fmt.Sprintf("node %d (%s)", n.ID, n.Op.Name) }

// define checks a value where it is made. Known elements (Elems), where there are any, are as
// many as the type has elements.
func (v *verifier) define(x *Value) {
	if v.seen[x] {
		v.fault(ruleUses, "%%%d is defined twice", x.ID)
	}
	v.seen[x] = true
	if v.ids[x.ID] || x.ID >= v.m.Values {
		v.fault(ruleUses, "two values have the number %%%d, or it is too large", x.ID)
	}
	v.ids[x.ID] = true
	v.typ(x, &x.Type, 0)
	if x.Elems != nil {
		if n, ok := elements(&x.Type); ok && n != int64(len(x.Elems)) {
			v.fault(ruleTypes, "%%%d has %d known elements, and its type says %d", x.ID, len(x.Elems), n)
		}
		for _, e := range x.Elems {
			v.expr(x, e)
		}
	}
}

func elements(t *inference.Type) (int64, bool) {
	n := int64(1)
	for _, d := range t.Dims {
		k, ok := d.Const()
		if !ok {
			return 0, false
		}
		n *= k
	}
	return n, t.Ranked
}

// A tensor without rank is allowed for parameters, inside of sequences, and for results of nodes
// that may make such.
func (v *verifier) typ(x *Value, t *inference.Type, depth int) {
	if depth > MaxNesting {
		v.fault(ruleLimits, "the type of %%%d nests too deeply", x.ID)
		return
	}
	switch t.Kind {
	case onnx.TensorType:
		switch {
		case t.Elem == onnx.Undefined:
			v.fault(ruleTypes, "the element type of %%%d is not known", x.ID)
		case !t.Ranked && x.Param == nil && depth == 0 && !unranked(x.Def):
			v.fault(ruleTypes, "the rank of %%%d is not known, and %s does not make such values", x.ID, v.maker(x))
		}
		for _, d := range t.Dims {
			if d == nil {
				v.fault(ruleTypes, "a dimension of %%%d is missing", x.ID)
				continue
			}
			v.expr(x, d)
		}
	case onnx.SequenceType, onnx.OptionalType:
		if t.Of == nil {
			v.fault(ruleTypes, "the type of %%%d does not say of what it is", x.ID)
			return
		}
		v.typ(x, t.Of, depth+1)
	default:
		v.fault(ruleTypes, "the kind of %%%d is not known or has no values here", x.ID)
	}
}

// unranked reports whether a node may have results whose rank only the run knows: those
// of some operators, and of all that get such operands.
func unranked(n *Node) bool {
	return n != nil && (n.Op.Unranked || slices.ContainsFunc(n.Ins,
		func(v *Value) bool { return v != nil && v.Type.Kind == onnx.TensorType && !v.Type.Ranked }))
}

func (v *verifier) maker(x *Value) string {
	if x.Def != nil {
		return v.name(x.Def)
	}
	return "a parameter"
}

// expr checks that an expression is of the pool and over symbols that are bound here.
func (v *verifier) expr(x *Value, e *symshape.Expr) {
	if e == nil {
		return
	}
	if e.Pool() != v.m.Pool {
		v.fault(ruleDims, "%s in the type of %%%d is of another pool", e, x.ID)
		return
	}
	for _, s := range e.Symbols() {
		if !v.bound[s] {
			v.fault(ruleDims, "%%%d has the size %s, and nothing binds %s before", x.ID, e, s)
		}
	}
}

// node verifies a node: a number of its own, an origin whose places exist, numbers of operands and results
// and attributes that its operation accepts, operands that are visible, bodies that name it as their owner
// and have parameters for what it captures, and results that name it as their definition. Bodies
// are checked before the results are defined, as they must not see them.
func (v *verifier) node(n *Node, g *Graph, depth int) {
	if v.nodes++; v.nodes == MaxNodes+1 {
		v.fault(ruleLimits, "there are more than %d nodes", MaxNodes)
	}
	if v.nodeIDs[n.ID] || n.ID >= v.m.Nodes {
		v.fault(ruleUses, "two nodes have the number %d, or it is too large", n.ID)
	}
	v.nodeIDs[n.ID] = true
	if n.From.Empty() {
		v.fault(rulePorts, "%s has no origin", v.name(n))
	}
	for _, p := range n.From.Places {
		if int(p) >= len(v.m.Places.List) || p < 0 {
			v.fault(rulePorts, "%s comes from a place that does not exist", v.name(n))
		}
	}
	if n.Op.Schema != nil {
		v.counts(n)
	}
	if n.Op.Check != nil {
		if err := n.Op.Check(n.Attr); err != nil {
			v.fault(ruleAttrs, "%s: %v", v.name(n), err)
		}
	}
	for i, in := range n.Ins {
		if in != nil {
			v.use(in, g, Use{Node: n, Index: i}, fmt.Sprintf("operand %d of %s", i, v.name(n)))
		}
	}
	for _, sub := range n.Graphs {
		if sub.Owner != n {
			v.fault(ruleUses, "a body of %s belongs to another node", v.name(n))
		}
		if n.Captured > len(sub.Params) || n.Captured > len(n.Ins) || n.Captured < 0 {
			v.fault(ruleClosed, "%s captures %d values, and its body has %d parameters", v.name(n), n.Captured, len(sub.Params))
		}
		v.graph(sub, depth+1)
	}
	for _, s := range v.binds[n] {
		v.bound[s] = true
	}
	for i, o := range n.Outs {
		if o == nil {
			continue
		}
		if o.Def != n || o.Index != i || o.Param != nil || o.Const != nil {
			v.fault(ruleUses, "result %d of %s, %%%d, says that it is something else", i, v.name(n), o.ID)
		}
		v.define(o)
	}
}

// counts checks the numbers of operands and results by the schema.
func (v *verifier) counts(n *Node) {
	least, most := n.Op.Schema.InputLimits()
	ins := len(n.Ins) - n.Captured
	if ins < least || most >= 0 && ins > most {
		v.fault(ruleAttrs, "%s has %d operands; it takes %d to %d", v.name(n), ins, least, most)
	}
	for i, in := range n.Ins {
		if p := n.Op.Schema.Input(i); in == nil && (p == nil || !p.Optional && !p.Variadic) {
			v.fault(ruleAttrs, "operand %d of %s is missing", i, v.name(n))
		}
	}
	least, most = n.Op.Schema.OutputLimits()
	if len(n.Outs) < least || most >= 0 && len(n.Outs) > most {
		v.fault(ruleAttrs, "%s has %d results; it gives %d to %d", v.name(n), len(n.Outs), least, most)
	}
}

// use checks one use of a value in a graph. Constants belong to no graph. Any other value must be
// the graph's own: values of the outside come in as parameters, so that a graph can be moved or
// copied as a whole.
func (v *verifier) use(x *Value, g *Graph, u Use, what string) {
	v.claims[u] = x
	v.order = append(v.order, u)
	if x.Const != nil {
		if !v.seen[x] {
			v.seen[x] = true
			v.constants = append(v.constants, x)
			if c := x.Const; int(c.ID) >= len(v.m.Consts.List) || v.m.Consts.List[c.ID] != c {
				v.fault(ruleConsts, "%s is a constant of another store", what)
			}
		}
		return
	}
	own := x.Param == g || x.Def != nil && x.Def.Graph == g
	switch {
	case !own:
		v.fault(ruleClosed, "%s is %%%d, which is of another graph", what, x.ID)
	case !v.seen[x]:
		v.fault(ruleUses, "%s is %%%d, which is made later", what, x.ID)
	}
}

// uses confirms the uses that a value knows. A use that was met and that the value does not list,
// or the other way round, would make ReplaceUses leave a node behind.
func (v *verifier) uses(x *Value) {
	for _, u := range x.Uses {
		if v.claims[u] != x {
			at := "a result of a graph"
			if u.Node != nil {
				at = fmt.Sprintf("operand %d of %s", u.Index, v.name(u.Node))
			}
			v.fault(ruleUses, "%s says that it is %s, which is not so, or says so twice", ref(x), at)
			continue
		}
		delete(v.claims, u)
	}
}
