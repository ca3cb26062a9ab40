package infer

// This file lets package trace/export hear a run, and run an entry: it is the interpreter for that package.

import (
	"errors"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/export"
)

// An exportTracer hears a run for torch.export, which has most of the events itself.
type exportTracer struct {
	*export.Run
	quiet
}

// Format fixes what the program writes into a text.
func (t exportTracer) Format(f *Frame, v value.Value) value.Value {
	if f.prelude {
		return v
	}
	return t.Run.Format(v)
}

// Undecided notes a place that sizes do not decide.
func (t exportTracer) Undecided(kind DecisionKind, v value.Value) {
	t.Run.Undecided(kind == DecisionAssert, v)
}

// isExporting reports whether what runs is heard for torch.export.
func (in *Interp) isExporting() bool {
	if in.decisions == nil {
		return false
	}
	_, ok := in.decisions.with.(exportTracer)
	return ok
}

// exportBody runs the body of a program as torch.export does.
func (in *Interp) exportBody(p *export.Program, r *export.Run) (*TracedCall, error) {
	return in.runBeside(sideRun{target: p.Target, args: p.Args, kw: p.Kw, tracer: exportTracer{Run: r}, exporting: r.Option()})
}

// An exportHost is the interpreter for trace/export.
type exportHost struct{ *Interp }

func (h exportHost) OwnCode() bool {
	f := h.stack.frame
	return f != nil && !f.prelude
}

func (h exportHost) IsBuiltin(c *value.Class) bool { return h.world.Class(c.Name) == c }

func (h exportHost) Catching() bool { return h.catching() }

func (h exportHost) Example(symbol string) (int64, bool) {
	n, ok := h.examples[symbol]
	return n, ok
}

func (h exportHost) SetExample(symbol string, n int64) { h.examples[symbol] = n }

func (h exportHost) ExampleDim(d symshape.Dim) symshape.Dim { return h.args.exampleDim(d) }

func (h exportHost) Assume(c *symshape.Cond) {
	if f, ok := h.path.facts.Assume(c); ok {
		h.path.facts = f
	}
}

func (h exportHost) IsRandom(s *symshape.Expr) bool { return h.rec.random[s] }

func (h exportHost) IsNumber(s *symshape.Expr) bool { return h.decisions.numbers[s] }

func (h exportHost) Guessed(c *symshape.Cond) bool { return h.guessed(c) }

func (h exportHost) Known(v value.Value) bool { return Known(v) }

func (h exportHost) InProgram(at source.Span) source.Span { return h.inProgram(at) }

func (h exportHost) OwnPlace(e *value.Exception) source.Span { return h.ownPlace(e) }

// inProgram is a place where it is in the file that runs or under an entry, else invalid.
func (in *Interp) inProgram(at source.Span) source.Span {
	top := in.topStatement()
	if at.IsValid() && in.cfg.Trace != nil { // of an entry
		return at
	}
	if !at.IsValid() || !top.IsValid() || in.files.Position(at.Start).File != in.files.Position(top.Start).File || at == top {
		return source.Span{}
	}
	return at
}

// An entryEngine is the interpreter for an entry that trace/export runs several times.
type entryEngine struct {
	exportHost
	module *value.Module
}

var _ export.Engine = entryEngine{}

// Beside runs a program and takes back what that does. The error is one that ends the run.
func (e entryEngine) Beside(p *export.Program, r *export.Run) (raised *value.Exception, err error) {
	var c *TracedCall
	e.takeBack(nil, func() { c, err = e.exportBody(p, r) })
	return c.Error, err
}

// Eval evaluates an expression in the module of the entry. The error is that of the expression.
func (e entryEngine) Eval(what, text string, vars map[string]value.Value) (value.Value, error) {
	return e.evalText(e.module, what, text, vars)
}

// Try evaluates an expression and takes back what that does. The error is one that ends the run.
func (e entryEngine) Try(what, text string, vars map[string]value.Value) (raised *value.Exception, err error) {
	found := e.sink.Len()
	e.takeBack(nil, func() {
		e.catchAll(func() { _, err = e.evalText(e.module, what, text, vars) })
	})
	e.sink.Truncate(found)
	if errors.As(err, &raised) {
		return raised, nil
	}
	return nil, err
}
