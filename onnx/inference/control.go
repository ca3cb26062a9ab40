package inference

// This file holds the operators that run subgraphs.
//
// Branches are joined: a result has the type of both branches, with a size where both have the
// same one and an unknown where they differ. Loops are iterated to a fixed point, as in any
// abstract interpretation: the carried values begin as the initial ones, the body is inferred,
// and what has changed is made unknown, until a pass changes nothing. Each value can lose only so
// much (elements, sizes, rank, element type, kind), so this ends after a few passes.

import (
	"slices"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

func controlOps() []op {
	return []op{
		{"If", ifRule, nil},
		{"Loop", loop, nil}, // both of its first inputs may be ""
		{"Scan", scan, nil},
	}
}

// A Body is a subgraph of a node, as the operator's rule sees it: the numbers of its
// inputs and outputs, and the types of the outputs for those of the inputs. A loop
// asks for the outputs more than once, with less and less known of its states. It is a function
// and not a graph, so that a Session can infer nodes whose bodies are the compiler's graphs.
type Body struct {
	Inputs, Outputs int
	Infer           func(ins []*Value) []*Value
}

// body gives the subgraph of an attribute.
func (c *call) body(name string) Body {
	if b, ok := c.bodies[name]; ok {
		return b
	}
	g := c.a.Graph(name)
	return Body{len(g.Inputs), len(g.Outputs), func(ins []*Value) []*Value { return c.subgraph(g, ins) }}
}

// subgraph infers a subgraph for the values of its inputs and returns its outputs. The error
// cases are nesting beyond maxNest, and outputs that contradict their declared types; an output
// that is not found is unknown.
func (c *call) subgraph(g *onnx.Graph, args []*Value) []*Value {
	if c.s.depth >= maxNest {
		c.errorf("functions and subgraphs nest deeper than %d", maxNest)
		return nil
	}
	s := &scope{e: c.e, outer: c.s, vals: map[string]*Value{}, opsets: c.s.opsets, graph: g, attrs: c.s.attrs, fn: c.s.fn, depth: c.s.depth +
		1}
	if args == nil {
		args = []*Value{}
	}
	c.e.openGraph(s, args)
	c.e.closeGraph(s)
	outs := make([]*Value, len(g.Outputs))
	for i, o := range g.Outputs {
		if outs[i] = s.lookup(o.Name); outs[i] == nil {
			outs[i] = unknownValue()
		}
		if t := s.declared[o.Name]; t != nil { // an output may be a value of the outside
			outs[i] = c.e.refine(outs[i], t, func(reason string) {
				c.value = o.Name
				c.errorf("%s", reason)
			})
		}
	}
	return outs
}

// outputs checks the number of a subgraph's outputs.
func (c *call) outputs(name string, g Body, want int) bool {
	if g.Outputs != want {
		c.errorf("%s has %d outputs; the node needs %d", name, g.Outputs, want)
		return false
	}
	return true
}

// ifRule joins what both branches give. A branch that is known not to run says
// nothing about the results, and its faults are none. A branch that is dead by a constant
// condition is still inferred, but quietly, because its graph's types are wanted.
func ifRule(c *call) {
	yes, no := c.body("then_branch"), c.body("else_branch")
	if c.failed || !c.outputs("then_branch", yes, len(c.outs)) || !c.outputs("else_branch", no, len(c.outs)) {
		return
	}
	cond := c.scalar(0)
	dead := func(want int64) bool {
		if cond == nil {
			return false
		}
		n, ok := cond.Const()
		return ok && (n != 0) != (want != 0)
	}
	run := func(g Body, skipped bool) []*Value {
		if skipped {
			c.e.quiet++
			defer func() { c.e.quiet-- }()
		}
		return g.Infer(nil)
	}
	noDead, yesDead := dead(0), dead(1)
	a, b := run(yes, yesDead), run(no, noDead)
	for i := range c.outs {
		switch {
		case c.failed:
		case yesDead && i < len(b):
			c.outs[i] = b[i]
		case noDead && i < len(a):
			c.outs[i] = a[i]
		case i < len(a) && i < len(b):
			c.outs[i] = c.e.joinValues(a[i], b[i])
		}
	}
}

// A carry is a value that a loop hands from one pass to the next. What differs
// between passes becomes unknown, until nothing changes any more. vals are the present values; an
// entry of varying never returns to a fixed size.
type carry struct {
	e    *engine
	vals []*Value
	// varying marks the dimensions that change.
	varying []map[int]bool
	// results are values that end as something else than they go in: an optional that
	// the body fills.
	results map[int]*Value
}

// newCarry begins the search for the types that loop-carried values keep: from the initial ones, those of the
// body's results are joined until nothing changes. Elements of a sequence are dropped at once, since loops
// usually append to them.
func newCarry(e *engine, initial []*Value) *carry {
	k := &carry{e: e, varying: make([]map[int]bool, len(initial)), results: map[int]*Value{}}
	for i, v := range initial {
		w := *v
		w.nonZero = false
		if w.Kind == onnx.SequenceType { // sequences mostly grow
			w.items, w.known = nil, false
			if v.known && len(v.items) == 0 {
				w.Type = v.Type
			}
		}
		k.vals = append(k.vals, &w)
		k.varying[i] = map[int]bool{}
	}
	return k
}

// merge takes the results of a pass and reports whether the values changed. It compares value by
// value and part by part: element type, rank, each size, and the known elements. A size that
// differs once is replaced by a fresh symbol, and later differences of the same axis are no
// change. An optional that the body fills is kept as an optional inside, with the filled value as
// the result.
func (k *carry) merge(next []*Value) bool {
	changed := false
	for i, v := range next {
		if i >= len(k.vals) {
			break
		}
		old := k.vals[i]
		w := *old
		t := *old.Type
		w.Type = &t
		diff := false
		switch {
		case old.Kind == onnx.NoType:
		case old.Kind == onnx.OptionalType && old.Of != nil && v.Kind == old.Of.Kind:
			k.results[i] = &Value{Type: k.e.join(old.Of, v.Type)}
			w.items, w.full = nil, 0
			k.vals[i] = &w
			continue
		case v.Kind == onnx.NoType || v.Kind != old.Kind:
			w = Value{Type: &Type{}}
			diff = true
		case old.Kind == onnx.TensorType || old.Kind == onnx.SparseTensorType:
			if t.Elem != v.Elem && t.Elem != onnx.Undefined {
				t.Elem, diff = onnx.Undefined, true
			}
			if t.Ranked && (!v.Ranked || len(v.Dims) != len(t.Dims)) {
				t.Ranked, t.Dims, diff = false, nil, true
			}
			if t.Ranked {
				t.Dims = slices.Clone(t.Dims)
				for j, d := range t.Dims {
					if d != v.Dims[j] && !k.varying[i][j] {
						k.varying[i][j], diff = true, true
						t.Dims[j] = k.e.fresh()
					}
				}
			}
		default:
			if old.Of.String() != v.Of.String() {
				if joined := k.e.widen(old.Of, v.Of); joined.String() != old.Of.String() {
					t.Of, diff = joined, true
				}
			}
		}
		if w.ints != nil && (v.ints == nil || !slices.Equal(w.ints, v.ints)) {
			w.ints, diff = nil, true
		}
		if w.floats != nil && !slices.Equal(w.floats, v.floats) {
			w.floats, diff = nil, true
		}
		if w.reals != nil && !slices.Equal(w.reals, v.reals) {
			w.reals, diff = nil, true
		}
		if diff && w.hasElements() && w.count() < 0 {
			w.ints, w.floats, w.reals = nil, nil, nil
		}
		if w.known || w.items != nil {
			w.items, w.known = nil, false
		}
		if w.full != v.full {
			w.full = 0
		}
		k.vals[i] = &w
		changed = changed || diff
	}
	return changed
}

// widen joins element types of sequences for a loop: an unknown stays the same
// unknown, so that the passes come to an end.
func (e *engine) widen(a, b *Type) *Type {
	if a == nil || a.Kind == onnx.NoType {
		return &Type{}
	}
	if a.Kind == onnx.TensorType && !a.Ranked && b != nil && b.Kind == a.Kind && b.Elem == a.Elem {
		return a
	}
	out := e.join(a, b)
	for i, d := range out.Dims {
		if a.Dims[i] != d && unknownDim(a.Dims[i]) {
			out.Dims[i] = a.Dims[i]
		}
	}
	return out
}

// maxPasses bounds the passes over a loop's body; after them nothing is assumed of
// the carried values.
const maxPasses = 12

// iterate runs a body until its carried values are stable and returns the last
// results. args makes the body's inputs of the carried values. Trial passes are quiet; when one
// fails, the body is inferred once more aloud, so that the fault is reported once and for the
// values that really occur. The last pass is aloud for the same reason. skip is how many results
// stand before the carried ones.
func (c *call) iterate(g Body, k *carry, skip int, args func([]*Value) []*Value) []*Value {
	for pass := 0; ; pass++ {
		if pass == maxPasses {
			for i := range k.vals {
				k.vals[i] = unknownValue()
			}
		}
		c.e.quiet++
		outs := g.Infer(args(k.vals))
		c.e.quiet--
		if c.failed { // once more, so that the fault is reported
			c.failed = false
			return g.Infer(args(k.vals))
		}
		if pass > maxPasses || len(outs) < skip || !k.merge(outs[skip:min(len(outs), skip+len(k.vals))]) {
			return g.Infer(args(k.vals))
		}
	}
}

// escape replaces the unknowns that belong to one pass of a body. A fresh symbol that was made
// inside the body has another value in each trip, so two values with it must not seem equal
// outside.
func (c *call) escape(v *Value, inside map[*symshape.Expr]bool) *Value {
	if !slices.ContainsFunc(v.Dims, func(d expr) bool { return belongs(d, inside) }) &&
		(v.Of == nil || !slices.ContainsFunc(v.Of.Dims, func(d expr) bool { return belongs(d, inside) })) {
		return v
	}
	out := *v
	out.Type = c.escapeType(v.Type, inside)
	return &out
}

// escapeType replaces sizes that exist inside of a body only: each turn has its own.
func (c *call) escapeType(t *Type, inside map[*symshape.Expr]bool) *Type {
	if t == nil {
		return nil
	}
	out := *t
	out.Dims = slices.Clone(t.Dims)
	for i, d := range out.Dims {
		if belongs(d, inside) {
			out.Dims[i] = c.e.fresh()
		}
	}
	out.Of = c.escapeType(t.Of, inside)
	return &out
}

func belongs(d expr, inside map[*symshape.Expr]bool) bool {
	return d != nil && slices.ContainsFunc(d.Symbols(), func(s *symshape.Expr) bool { return inside[s] })
}

// inside runs f and returns the unknowns that were made meanwhile. It finds them as the symbols
// that the pool has got in the meantime.
func (c *call) inside(f func()) map[*symshape.Expr]bool {
	before := len(c.pool().Symbols())
	f()
	made := map[*symshape.Expr]bool{}
	for _, s := range c.pool().Symbols()[before:] {
		if s.IsFresh() {
			made[s] = true
		}
	}
	return made
}

func isTrue(x expr) bool { return x != nil && x.IsConst(1) }

// loop: the carried values, and one row of each scan output for every pass. M and the condition
// are both optional. The states behind the loop are those that the iteration found, joined with
// the initial ones, since the loop may have no trips; with M known to be at most 0 they are the
// initial ones. Scan outputs get the number of trips as their first axis where only M ends the
// loop, and an unknown one otherwise.
func loop(c *call) {
	g := c.body("body")
	n := len(c.ins) - 2
	if g.Inputs != n+2 {
		c.errorf("the body has %d inputs; the node needs %d", g.Inputs, n+2)
		return
	}
	if !c.outputs("the body", g, len(c.outs)+1) {
		return
	}
	initial := make([]*Value, n)
	for i := range initial {
		initial[i] = c.in(i + 2)
	}
	// The condition holds whenever the body runs.
	p := c.pool()
	scalar := func(d onnx.DType, x expr) *Value {
		v := &Value{Type: &Type{Kind: onnx.TensorType, Elem: d, Ranked: true}}
		if x != nil {
			v.ints = []expr{x}
		}
		return v
	}
	k := newCarry(c.e, initial)
	var outs []*Value
	made := c.inside(func() {
		outs = c.iterate(g, k, 1, func(vals []*Value) []*Value {
			return append([]*Value{scalar(onnx.Int64, p.FreshIn("iteration", 0, symshape.PosInf)), scalar(onnx.Bool, p.Const(1))}, vals...)
		})
	})
	if c.failed {
		return
	}
	if v := outs[0]; v.Kind != onnx.TensorType && v.Kind != onnx.NoType || v.Elem != onnx.Undefined && v.Elem != onnx.Bool {
		c.errorf("the body's first result, the condition, is %s", v.Type)
		return
	}
	for i := range n {
		if i < len(c.outs) {
			v := k.vals[i]
			if r := k.results[i]; r != nil {
				v = r
			}
			c.outs[i] = c.escape(c.e.joinValues(v, v), made)
		}
	}
	trip := c.scalar(0)
	if trip != nil && c.has(0) {
		if _, most := trip.Bounds(); most <= 0 { // the body never runs
			for i := range min(n, len(c.outs)) {
				v := *initial[i]
				c.outs[i] = &v
			}
		}
	}
	// The number of passes is known when nothing but the count ends the loop. The body's condition
	// ends it also where the node has none, as in ONNX Runtime; the specification has it ignored.
	var passes expr
	always := (!c.has(1) || isTrue(c.scalar(1))) && len(outs) > 0 && outs[0].ints != nil && isTrue(outs[0].ints[0])
	if c.has(0) && trip != nil && always {
		passes = p.Max(p.Const(0), trip)
	}
	for i := n; i < len(c.outs) && i+1 < len(outs); i++ {
		c.rows(i, c.escape(outs[i+1], made), passes, 0)
	}
}

// rows makes result i of the passes' values: a new dimension at an axis. passes is nil when the
// number is not known.
func (c *call) rows(i int, v *Value, passes expr, axis int64) {
	if v.Kind != onnx.TensorType {
		if v.Kind != onnx.NoType {
			c.errorf("output %d of the body is %s; expected a tensor", i, v.Type)
		}
		return
	}
	if !v.Ranked {
		c.outUnranked(i, v.Elem)
		return
	}
	at, ok := c.axis(axis, len(v.Dims)+1)
	if ok {
		c.out(i, v.Elem, slices.Insert(slices.Clone(v.Dims), at, passes))
	}
}

// scan: like a loop over slices of its inputs. Opset 8 has a batch dimension before
// everything. All scanned inputs must have the same length along their axes, which is unified and
// reported where it differs. The states keep their types; scan outputs get the length at the axis
// that scan_output_axes says.
func scan(c *call) {
	g := c.body("body")
	k := c.a.Int("num_scan_inputs")
	batched := c.version < 9
	ins := c.ins
	if batched && len(ins) > 0 {
		ins = ins[1:] // the lengths of the sequences
	}
	n := len(ins) - int(min(max(k, 0), 1<<20))
	if k < 1 || n < 0 || g.Inputs != len(ins) {
		c.errorf("num_scan_inputs is %d for %d inputs and a body of %d", k, len(ins), g.Inputs)
		return
	}
	if !c.outputs("the body", g, len(c.outs)) {
		return
	}
	if len(c.outs) < n {
		c.errorf("%d states and %d results", n, len(c.outs))
		return
	}
	axes := c.intsN("scan_input_axes", int(k))
	if batched {
		axes = slices.Repeat([]int64{1}, int(k))
	}
	var batch, passes expr
	strip := func(v *Value) *Value { // the batch dimension
		if !batched || !v.Ranked || len(v.Dims) == 0 {
			return &Value{Type: v.Type}
		}
		batch = c.unify(batch, v.Dims[0], "the batches differ")
		t := *v.Type
		t.Dims = t.Dims[1:]
		return &Value{Type: &t}
	}
	var states, slots []*Value
	for i, v := range ins {
		if v == nil {
			v = unknownValue()
		}
		if i < n {
			if batched {
				v = strip(v)
			}
			states = append(states, v)
			continue
		}
		t := *v.Type
		if t.Ranked {
			at, ok := c.axis(axes[i-n], len(t.Dims))
			if !ok {
				return
			}
			passes = c.unify(passes, t.Dims[at], "the inputs are scanned over different lengths")
			t.Dims = slices.Delete(slices.Clone(t.Dims), at, at+1)
		}
		slots = append(slots, strip(&Value{Type: &t}))
	}
	if c.failed {
		return
	}
	carried := newCarry(c.e, states)
	var outs []*Value
	made := c.inside(func() {
		outs = c.iterate(g, carried, 0, func(vals []*Value) []*Value { return slices.Concat(vals, slots) })
	})
	if c.failed || len(outs) < len(c.outs) {
		return
	}
	outAxes := c.intsN("scan_output_axes", len(c.outs)-n)
	for i := range c.outs {
		if i >= n {
			c.rows(i, c.escape(outs[i], made), passes, outAxes[i-n])
		} else {
			c.outs[i] = c.escape(&Value{Type: carried.vals[i].Type}, made)
		}
		if v := c.outs[i]; batched && v != nil && v.Ranked {
			v.Type = &Type{Kind: v.Kind, Elem: v.Elem, Ranked: true, Dims: append([]expr{batch}, v.Dims...)}
		}
	}
}

// sequenceMap runs a body for each element of its sequences; other inputs go to
// every run as they are. The result is a sequence of what the body gives for one element; nothing
// is known of its length.
func sequenceMap(c *call) {
	g := c.body("body")
	if g.Inputs != len(c.ins) {
		c.errorf("the body has %d inputs; the node has %d", g.Inputs, len(c.ins))
		return
	}
	if !c.outputs("the body", g, len(c.outs)) {
		return
	}
	args := make([]*Value, len(c.ins))
	for i := range c.ins {
		v := c.in(i)
		if v.Kind == onnx.SequenceType {
			t := c.oneOf(v.Of)
			c.e.normalize(t)
			v = &Value{Type: t}
		}
		args[i] = v
	}
	var outs []*Value
	c.inside(func() { outs = g.Infer(args) })
	for i := range c.outs {
		if !c.failed && i < len(outs) {
			c.sequence(i, outs[i].Type, nil, false)
		}
	}
}
