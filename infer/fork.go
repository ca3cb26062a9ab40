package infer

// This file runs code under conditions that the path does not decide.
//
// Both branches run from the same state, one after the other: the heap's journal
// takes back what the first one wrote. Then every written place is joined. A
// branch that only raises makes the opposite condition a fact. Statements that can
// leave their block early are in pending.go.

import (
	"errors"
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// A controlFlow runs branches and loops: each branch from the same state, completions that wait for the others, and what joins them. The
// statements in them are run by the interpreter.
type controlFlow struct {
	*base
	*control
	in *Interp
}

// A path is what is assumed where the run stands.
type path struct {
	facts symshape.Facts
	conds []*symshape.Cond // the undecided branch conditions, outermost first
}

// assume returns the path on which c holds too; ok is false when it cannot.
func (p path) assume(c *symshape.Cond) (path, bool) {
	facts, ok := p.facts.Assume(c)
	conds := append(p.conds[:len(p.conds):len(p.conds)], c)
	return path{facts, conds}, ok
}

// Facts are what is known of the symbols on this path.
func (in *Interp) Facts() symshape.Facts { return in.path.facts }

// Decide decides a condition on the path. A rule that asks in a long loop is left where a limit is reached.
func (in *Interp) Decide(c *symshape.Cond) symshape.Answer {
	if v, ok := c.Const(); ok {
		if v {
			return symshape.Yes
		}
		return symshape.No
	}
	in.spent.work(1)
	return in.path.facts.Decide(c).Answer
}

// Holds decides a truth value on the path, if need be by the example sizes; then
// the run relies on it and it becomes a condition of the contract.
func (in *Interp) Holds(b value.Value) (val, known bool) {
	switch b := b.(type) {
	case value.Bool:
		return bool(b), true
	case *value.SymBool:
		switch in.Decide(b.Cond) {
		case symshape.Yes:
			return true, true
		case symshape.No:
			return false, true
		}
		v, ok := in.example(b.Cond)
		if !ok {
			if !b.Known {
				return false, false
			}
			v = b.Val
		}
		c := b.Cond
		if !v {
			c = in.pool.Not(c)
		}
		in.flow.require(c, "", whyExample)
		return v, true
	}
	return false, false
}

// example evaluates a condition under the example sizes.
func (in *Interp) example(c *symshape.Cond) (val, ok bool) {
	if len(in.examples) == 0 {
		return false, false
	}
	v, err := c.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok })
	return v, err == nil
}

// Require makes c a condition of the contract.
func (in *Interp) Require(c *symshape.Cond, why string) symshape.Answer {
	switch in.Decide(c) {
	case symshape.Yes:
		return symshape.Yes
	case symshape.No:
		in.Refused(c)
		return symshape.No
	}
	v, ok := in.example(c)
	if ok && !v || !ok && in.probe.refuses(c) || in.flow.atOdds(c) {
		in.Refused(c)
		return symshape.No
	}
	op := ""
	if in.stack.frame != nil {
		op = in.stack.frame.op
	}
	if !in.flow.require(c, op, why) {
		in.Refused(c)
		return symshape.No
	}
	return symshape.Yes
}

// require assumes c and records it; false when it contradicts the path.
func (cf *controlFlow) require(c *symshape.Cond, op, why string) bool {
	facts, ok := cf.path.facts.Assume(c)
	if !ok {
		return false
	}
	if cf.cfg.Pin != "" && len(cf.path.conds) == 0 {
		cf.in.spent.endPinned(c)
	}
	cf.path.facts = facts
	cf.in.rec.condition(c, cf.path.conds, cf.in.Here(), op, why)
	for _, t := range cf.in.tracers.all {
		t.Require(c)
	}
	return true
}

// requireOn is require for where none of the conditions ways is true.
func (cf *controlFlow) requireOn(ways []*symshape.Cond, c *symshape.Cond, why string) {
	if len(ways) == 0 {
		cf.require(c, "", why)
		return
	}
	other := cf.pool.Or(ways...)
	facts, ok := cf.path.facts.Assume(cf.pool.Or(other, c))
	if !ok {
		return
	}
	cf.path.facts = facts
	cf.in.rec.condition(c, append(slices.Clone(cf.path.conds), cf.pool.Not(other)), cf.in.Here(), "", why)
}

// errPinned ends a run in which the symbol of Config.Pin must be a number.
type errPinned struct{ number int64 }

func (e errPinned) Error() string { return fmt.Sprintf("a size must be %d", e.number) }

// endPinned ends the run if a condition gives the symbol of Config.Pin a number.
func (b *budget) endPinned(c *symshape.Cond) {
	sym, to := c.Definition()
	if sym == nil || sym.String() != b.cfg.Pin {
		return
	}
	if n, ok := to.Const(); ok {
		b.end(errPinned{n})
	}
}

// cond gives the condition of a truth value.
func cond(th value.Thread, b value.Value) *symshape.Cond {
	switch b := b.(type) {
	case value.Bool:
		return th.Pool().Bool(bool(b))
	case *value.SymBool:
		return b.Cond
	}
	return th.DataBool(nil).Cond
}

// negated negates a truth value.
func negated(th value.Thread, b value.Value) value.Value {
	switch b := b.(type) {
	case value.Bool:
		return !b
	case *value.SymBool:
		return &value.SymBool{Cond: th.Pool().Not(b.Cond), Val: !b.Val, Known: b.Known}
	case *value.Choice: // what `is` and `in` give of values that are one of several
		return &value.Choice{Cond: b.Cond, Then: negated(th, b.Then), Else: negated(th, b.Else)}
	}
	return b
}

// DataBool gives a fresh truth value that data decides: a 0/1 symbol.
func (in *Interp) DataBool(src *graph.Value) *value.SymBool {
	e := in.pool.FreshIn("c", 0, 1)
	in.rec.data(e)
	in.probe.made(e)
	if src != nil {
		in.rec.elements[e] = true
		in.flow.bindNumber(graph.Truth, e, src)
	} else {
		in.rec.lostTruths[e] = &value.Cause{At: in.Here(), Reason: "whether this holds is not known"}
	}
	return &value.SymBool{Cond: in.pool.Eq(e, in.pool.Const(1)), Source: src}
}

// guess gives a fresh truth value of something unknown.
func (cf *controlFlow) guess() *value.SymBool {
	b := cf.in.DataBool(nil)
	if cf.guesses == nil {
		cf.guesses = map[*symshape.Expr]bool{}
	}
	for _, s := range b.Cond.Symbols() {
		cf.guesses[s] = true
	}
	return b
}

// guessed reports whether a condition rests on the truth of something unknown: then
// nothing says that its branch ever runs.
func (cf *controlFlow) guessed(c *symshape.Cond) bool {
	return len(cf.guesses) > 0 && slices.ContainsFunc(c.Symbols(), func(s *symshape.Expr) bool { return cf.guesses[s] })
}

// doubt makes an info of a fault in a branch of which it is not known whether it runs.
func doubt(d *diag.Diagnostic) {
	if d.Severity != diag.Error {
		return
	}
	d.Severity = diag.Info
	d.Notes = append(d.Notes, "this is under a condition on something unknown: it is not known whether it runs")
	for i := range d.Fixes {
		d.Fixes[i].Safe = false
	}
}

// fromTensor tells tracers that e stands for a number out of a tensor.
func (cf *controlFlow) fromTensor(e *symshape.Expr) {
	for _, t := range cf.in.tracers.all {
		t.Number(e)
	}
}

// bindNumber records that e stands for what an operation makes of a tensor.
func (cf *controlFlow) bindNumber(op string, e *symshape.Expr, src *graph.Value) {
	cf.fromTensor(e)
	v := cf.build.Scalar(e, cf.in.Here())
	cf.in.retraces.binds(cf.in, e, v)
	cf.build.Emit(&graph.Node{Op: op, Args: []graph.Arg{{Name: "input", Value: src}}, Outputs: []*graph.Value{v},
		At: cf.in.Here(), Module: cf.in.ModulePath()})
}

// DataInt gives a fresh integer ≥ lo that data decides.
func (in *Interp) DataInt(prefix string, lo int64, src *graph.Value) *value.SymInt {
	e := in.pool.FreshIn(prefix, lo, symshape.PosInf)
	in.rec.data(e)
	if src != nil {
		in.rec.elements[e] = true
	}
	if prefix == "r" || drawn(src) {
		in.rec.random[e] = true
	}
	in.probe.made(e)
	switch {
	case src == nil:
	case prefix == "i": // an element; other prefixes are sizes, which types show
		in.flow.bindNumber(graph.Item, e, src)
	default:
		in.flow.fromTensor(e)
	}
	return &value.SymInt{D: symshape.Dim{Expr: e}, Source: src}
}

// drawn reports whether a value, or that of which it is an element, is random.
func drawn(v *graph.Value) bool {
	for v != nil && v.Def != nil && !v.Def.Is.Has(graph.Drawn) {
		if v.Def.Op != "torch.Tensor.__getitem__" {
			return false
		}
		v, _ = v.Def.Args[0].Value.(*graph.Value)
	}
	return v != nil && v.Def != nil
}

// branch evaluates one of two alternatives, or both when t is not decided.
func (cf *controlFlow) branch(f *frame, t value.Value, then, els func() (value.Value, error)) (value.Value, error) {
	b, err := cf.in.Truth(t)
	if err != nil {
		if b, err = cf.in.settle(f, nil, err); err != nil {
			return nil, err
		}
		if b, err = cf.in.Truth(b); err != nil {
			return nil, err
		}
	}
	if val, known := cf.in.Holds(b); known {
		if val {
			return then()
		}
		return els()
	}
	return cf.fork(cond(cf.in, b), testOperand(b), then, els)
}

// testOperand is the condition of an If node: the tensor that decides it, where data does, or a condition on
// sizes.
func testOperand(b value.Value) graph.Operand {
	if s, ok := b.(*value.SymBool); ok {
		if s.Source != nil {
			return s.Source
		}
		return graph.Cond{Cond: s.Cond}
	}
	return nil
}

// fork evaluates both alternatives and joins the values and what they wrote.
func (cf *controlFlow) fork(c *symshape.Cond, test graph.Operand, then, els func() (value.Value, error)) (value.Value, error) {
	way := func(body func() (value.Value, error)) func() (flow, value.Value, error) {
		return func() (flow, value.Value, error) {
			v, err := body()
			return next, v, err
		}
	}
	_, v, err := cf.twoWays(cf.in.stack.frame, c, test, way(then), way(els))
	return v, err
}

// errInfeasible marks an alternative whose condition contradicts the path.
var errInfeasible = errors.New("infeasible")

// splice appends the nodes of a region that alone can run.
func splice(th value.Thread, r *graph.Region) {
	for _, n := range r.Nodes {
		th.Graph().Emit(n)
	}
}

// guard notes that the run goes on only if c holds, because the other branch
// raised err.
func (cf *controlFlow) guard(c *symshape.Cond, err error) {
	if errors.Is(err, errInfeasible) {
		return
	}
	why := whyGuard
	if cf.in.stack.frame != nil && cf.in.stack.frame.prelude {
		why = whyLibrary
	}
	cf.require(c, "", why)
}

// fatal reports whether err ends the analysis, as against a Python exception.
func fatal(err error) bool {
	if err == nil || err == errInfeasible {
		return false
	}
	var e *value.Exception
	return !errors.As(err, &e)
}

// decided resolves a choice whose condition the path decides.
func decided(th value.Thread, c *value.Choice) value.Value {
	switch th.Decide(c.Cond) {
	case symshape.Yes:
		return raiseAgain(th, c.Then)
	case symshape.No:
		return raiseAgain(th, c.Else)
	}
	return c
}

func raiseAgain(th value.Thread, v value.Value) value.Value {
	if c, ok := v.(*value.Choice); ok {
		return decided(th, c)
	}
	return v
}

// distribute performs an operation on both values of a choice. An alternative
// on which it fails is taken as excluded by what the program knows of its data,
// unless it fails on both.
func (in *Interp) distribute(c *value.Choice, op func(value.Value) (value.Value, error)) (value.Value, error) {
	switch v := decided(in, c).(type) {
	case *value.Choice:
		c = v
	default:
		return op(v)
	}
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	in.trial++
	then := func() (value.Value, error) { return op(c.Then) }
	els := func() (value.Value, error) { return op(c.Else) }
	v, err := in.flow.fork(c.Cond, graph.Cond{Cond: c.Cond}, then, els)
	in.trial--
	if err != nil && in.trial == 0 && !fatal(err) {
		return nil, err
	}
	return v, err
}
