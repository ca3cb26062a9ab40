package dynamo

// This file ends a call: what it compiled, and the exception of torch.compile that ends it.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/trace/export"
)

// A Result is what a call under torch.compile came to.
type Result struct {
	Compiled *Call // nil: that is not known
	Traces   *int  // how often a function was compiled; nil: that is not known
	// Error is the exception that ends the call, or nil; ErrorAt its place in the program.
	Error   *value.Exception
	ErrorAt source.Span
	// Err is the exception that torch.compile raises in the place of it; nil: it raises none.
	Err error
}

// Settle finds what the call compiled, which an exception at a place of the program ended, or none.
func (d *Run) Settle(raised *value.Exception, at source.Span) Result {
	out := Result{Compiled: d.out, Error: raised, ErrorAt: at}
	n := d.root
	if d.opts.Stance == forceEager {
		out.Traces = &d.made
		return out
	}
	if n == nil {
		return out // a function of torch: not known
	}
	codes, key := d.graphs.codes, codeKey{n.key(), 0}
	if code := codes[key]; d.missed || d.opts.unsure() || code != nil && code.lost { // nor of later calls
		codes[key] = &compiledCode{name: n.name, lost: true}
		out.Compiled = nil
		return out
	}
	d.out.Unsure = d.unsure
	if raised != nil && at.IsValid() {
		switch {
		case d.ofOperation(raised):
			n.failed = true
		case len(n.events) == 0 || !n.events[len(n.events)-1].broke:
			n.raises(at)
		}
	}
	out.Traces = &d.made
	if at, ok := n.firstBreak(); ok && d.opts.Fullgraph {
		if codes[key] == nil {
			codes[key] = &compiledCode{name: n.name, seen: map[string]*sourceHistory{}}
		}
		d.made++
		class := export.UnsupportedError
		if d.refused != "" {
			class = d.refused
		}
		d.raises(&out, class, "torch.compile(fullgraph=True): the graph breaks here", at)
		return out
	}
	d.looksAtHanded()
	d.compiles(n, true)
	switch {
	case d.refused != "":
		d.raises(&out, d.refused, d.refusal(), d.refusedAt)
	case d.unmet != nil:
		d.raises(&out, "RuntimeError", *d.unmet, n.def)
	case d.ended && d.ofOperation(raised) && raised.Value.Class.Name == "RuntimeError": // while the graph is made
		var e *value.Exception
		if errors.As(d.host.Raise(torchRuntimeError, ""), &e) {
			e.At, e.Diag, e.Advise, e.Frames = raised.At, raised.Diag, raised.Advise, raised.Frames
			out.Error, out.Err = e, e
		}
	}
	return out
}

// raises has the call end with an exception.
func (d *Run) raises(out *Result, class, text string, at source.Span) {
	out.Err = d.host.Raise(class, "%s", text)
	var e *value.Exception
	if errors.As(out.Err, &e) {
		out.Error, out.ErrorAt = e, d.host.InProgram(at)
	}
}

// torchRuntimeError is raised where an operation fails while a graph is made.
const torchRuntimeError = "torch._dynamo.exc.TorchRuntimeError"

// ofOperation reports whether an operation raised an exception of the sizes and types that it was given.
func (d *Run) ofOperation(e *value.Exception) bool {
	var of *value.Exception
	return e != nil && errors.As(d.ofOp, &of) && of == e && slices.Contains([]string{"RuntimeError", "IndexError"}, e.Value.Class.Name)
}

// refusal says why torch.compile ends the call.
func (d *Run) refusal() string {
	switch d.refused {
	case constraintError:
		return "torch.compile: a size that mark_dynamic marks is fixed here"
	case export.GuardError:
		return "torch.compile: elements of a tensor decide here"
	}
	if d.opts.Stance == failOnRecompile {
		return "torch.compile: no graph serves, and torch.compiler.set_stance wants that to fail"
	}
	return "torch.compile: the limit of graphs of one function is reached"
}

// constraintError is raised where a size that is marked as dynamic is fixed.
const constraintError = "torch.fx.experimental.symbolic_shapes.ConstraintViolationError"

// libraryModule is the node of a module of torch itself that is compiled: its forward is no
// function of the program.
func libraryModule(target value.Value) *node {
	i, ok := target.(*value.Instance)
	if !ok || !i.Class.Prelude {
		return nil
	}
	return &node{name: "inner", code: "inner", paths: map[value.Value]string{i: "self"}, reads: map[string]*guardedRead{}}
}

// A configSwitch is a switch of torch._dynamo.config as it was when a call first asked for it.
type configSwitch struct{ asked, on bool }

func (d *Run) is(s *configSwitch, name string) bool {
	if !s.asked {
		s.asked, s.on = true, IsSet(d.host, name)
	}
	return s.on
}
