package infer

// This file performs operations inside try statements: where one is legal only
// under a condition that the path does not decide, and the program catches what it
// raises otherwise, both ways are possible and the condition is none of the
// contract.

import (
	"errors"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A probe performs an operation in order to find the condition under which it fails.
type probe struct {
	in *Interp
	// cond is the first condition that was not decided; it was taken not to hold.
	cond *symshape.Cond
	// harmless are conditions without which the operation goes on all the same.
	harmless []*symshape.Cond
	// born are the symbols made by the operation.
	born []*symshape.Expr
}

// attempt performs an operation that runs no code of the program. It is the place
// where what the operation requires becomes a branch when a try statement would
// catch its fault.
func (cf *controlFlow) attempt(op func() (value.Value, error)) (value.Value, error) {
	if !cf.catching() {
		return op()
	}
	p := &probe{in: cf.in}
	for {
		v, cond, err := p.run(op)
		if cond == nil {
			return v, err
		}
		var e *value.Exception
		if !errors.As(err, &e) {
			if fatal(err) {
				return nil, err
			}
			p.harmless = append(p.harmless, cond)
			continue
		}
		if h := cf.in.exceptions.catcher(e); h == nil || h.native {
			return op()
		}
		holds := func() (value.Value, error) { return cf.attempt(op) }
		fails := func() (value.Value, error) {
			defer cf.refusing(cf.fails)
			cf.fails = true
			return op()
		}
		return cf.fork(cond, graph.Cond{Cond: cond}, holds, fails)
	}
}

// refusing ends what attempt does where a condition fails.
func (cf *controlFlow) refusing(was bool) { cf.fails = was }

// catching reports whether an exception might be caught by the program.
func (cf *controlFlow) catching() bool {
	if cf.quiet > 0 || cf.in.advice.busy || cf.fails {
		return false
	}
	return slices.ContainsFunc(cf.handlers, func(h handler) bool { return !h.native })
}

// run performs the operation once. Where it comes upon a condition that is not
// decided it is taken back and cond says which.
func (p *probe) run(op func() (value.Value, error)) (v value.Value, cond *symshape.Cond, err error) {
	in := p.in
	outer, before, refused := in.probe, in.path, in.refused
	m, rec, sink, node := in.heap.Mark(), in.rec.mark(), in.sink.Len(), in.build.Mark()
	in.probe, p.cond = p, nil
	v, err = op()
	in.probe = outer
	if p.cond == nil {
		in.heap.Close(m)
		return v, nil, err
	}
	in.heap.Rollback(m)
	in.heap.Close(m)
	in.path, in.refused = before, refused
	in.rec.rollback(rec)
	in.sink.Truncate(sink)
	in.build.Discard(node)
	return nil, p.cond, err
}

// refuses reports whether the probe takes a condition, which is not decided, not to
// hold; from then on that is assumed.
func (p *probe) refuses(c *symshape.Cond) bool {
	if p == nil || p.cond != nil || slices.Contains(p.harmless, c) {
		return false
	}
	for _, s := range c.Symbols() {
		if slices.Contains(p.born, s) {
			return false
		}
	}
	path, ok := p.in.path.assume(p.in.pool.Not(c))
	if !ok {
		return false
	}
	p.in.path, p.cond = path, c
	return true
}

// made notes a symbol for what data decide.
func (p *probe) made(s *symshape.Expr) {
	if p != nil {
		p.born = append(p.born, s)
	}
}

// Fails reports whether an operation runs where a condition that it requires does
// not hold and the program catches the fault.
func (in *Interp) Fails() bool { return in.fails }

// need makes c a condition of the contract, or where the program catches the fault
// of which it would be the cause a branch. fault makes that.
func (cf *controlFlow) need(c *symshape.Cond, why string, fault func() error) error {
	if cf.catching() && cf.in.Decide(c) == symshape.Unknown {
		_, err := cf.attempt(func() (value.Value, error) {
			if cf.in.Require(c, why) == symshape.No {
				return nil, fault()
			}
			return value.None, nil
		})
		return err
	}
	cf.in.Require(c, why)
	return nil
}
