package infer

// This file makes an entry whose sizes have symbols, and asks trace/export which of them share a trace.

import (
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/trace/export"
)

// runShared makes the entry and finds the sizes that share a trace.
func (in *Interp) runShared(m *value.Module) error {
	target, err := in.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	e, err := in.symbolicEntry(m, target)
	if err != nil {
		return err
	}
	in.called = true
	in.options["grad"] = "off"
	in.rec.calls, in.rec.ops = nil, nil
	in.build = in.build.Next()
	bindInputs(in, e.Args, e.Kw)
	e.Contract = in.path.facts
	mark, found := in.heap.Mark(), in.sink.Len()
	watch := in.watchState(mark)
	out, err := in.callEntry(m, target, e.Args, e.Kw)
	watch.done()
	if err != nil {
		return err
	}
	in.output = Snapshot(out)
	ran := in.rec.mark()
	defer func() { in.rec.rollback(ran) }() // the runs below are not the program's
	changed := in.heap.Before(mark)
	in.heap.Rollback(mark)
	in.heap.Close(mark)
	e.Valid, in.path.facts = in.path.facts, e.Contract
	s := &export.Sharing{For: in.cfg.Trace.For, Inputs: e.Types()}
	in.shared = s
	find := func() error { return s.Find(entryEngine{exportHost{in}, m}, e) }
	switch {
	case !e.Sized():
		s.Why = "an argument has sizes or a number of axes that are not known"
	case s.ByShape():
		in.sink.Truncate(found) // it ran with tensors of torch
		return find()
	case hasErrors(in.sink.All()):
		s.Why = "a check of the entry finds errors"
	default:
		if s.For != export.ForCompile { // its graphs are guarded
			if err := in.keptState(e, changed, watch); err != nil {
				return err
			}
		}
		return find()
	}
	return nil
}

// symbolicEntry is the entry with the arguments of --arg, or those of --inputs with a symbol for each size from 2 on. The error is
// that of an argument.
func (in *Interp) symbolicEntry(m *value.Module, target value.Value) (*export.Entry, error) {
	var args []value.Value
	var kw []value.Kw
	if in.cfg.Trace.Inputs == "" {
		var err error
		if args, kw, err = in.args.entryArgs(m, target); err != nil {
			return nil, err
		}
	} else {
		list, err := in.traceTuple(m, "--inputs", in.cfg.Trace.Inputs)
		if err != nil {
			return nil, err
		}
		n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
		for _, v := range list {
			args = append(args, in.withSymbols(v, 2, &n))
		}
	}
	plain := func(d symshape.Dim) symshape.Dim { // without examples, which would decide in the run for all sizes
		if d.Expr != nil {
			d = symshape.MakeDim(d.Expr)
		}
		return d
	}
	for i, v := range args {
		args[i] = export.Resized(in, v, plain)
	}
	for i, k := range kw {
		kw[i].Value = export.Resized(in, k.Value, plain)
	}
	e := in.newEntry(m, target, args, kw)
	for name := range e.Given {
		delete(in.examples, name)
	}
	return e, nil
}

// newEntry is what is asked about sizes of a call whose arguments are there.
func (in *Interp) newEntry(m *value.Module, target value.Value, args []value.Value, kw []value.Kw) *export.Entry {
	e := export.NewEntry(in, m, target, args, kw, in.path.facts)
	e.Name = in.entryName
	if fn, skip := signatureOfTarget(in, target); fn != nil {
		e.Params = []string{}
		for i, p := range append(fn.Params.PosOnly[:len(fn.Params.PosOnly):len(fn.Params.PosOnly)], fn.Params.Args...) {
			if i >= skip {
				e.Params = append(e.Params, p.Name)
			}
		}
	}
	for _, sym := range e.Symbols {
		if n, ok := in.examples[sym.String()]; ok {
			e.Given[sym.String()] = n
		}
	}
	return e
}
